// The ids that the panel gives: of a message, from the key press that sends it, and of the session that a first message
// makes. With them a message that comes again is known, and is not recorded twice.
import { z } from 'zod';

/** A ULID as it is written: such an id also names a folder, and nothing else may come into it. */
export const sendIdPattern = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

export const sendIdSchema = z.string().regex(sendIdPattern);
