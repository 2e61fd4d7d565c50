// What records say of files: those that a step made, saw or listed, those that a revert puts back, and where an output is.
import { z } from 'zod';

/** The file can be run as a program. Recorded only where it can; says nothing in traces of versions before. */
export const executable = z.literal(true).optional();

export const artifactSchema = z.object({
  path: z.string(),
  change: z.enum(['created', 'changed', 'deleted']),
  size: z.number(),
  sha256: z.string().nullable(),
  executable,
});
/** A workspace file that a step created, changed or deleted. `path` is relative to the folder, with `/`. */
export type Artifact = Readonly<z.infer<typeof artifactSchema>>;

export const outputRefSchema = z.object({ file: z.string(), bytes: z.number() });
/** A side file that holds an output in full; the event has the preview. */
export type OutputRef = Readonly<z.infer<typeof outputRefSchema>>;

export const seenFileSchema = z.object({ path: z.string(), sha256: z.string() });
/** The content of a file that a step showed to the model. `path` is relative to the folder, with `/`. */
export type SeenFile = Readonly<z.infer<typeof seenFileSchema>>;

export const listedFileSchema = z.object({ path: z.string(), size: z.number(), mtimeMs: z.number() });
/** A file of the folder when it was listed. `path` is relative to the folder, with `/`; `size` in bytes. */
export type ListedFile = Readonly<z.infer<typeof listedFileSchema>>;

export const revertFileSchema = z.object({
  path: z.string(),
  /** Hash of what is there before; null for no file. */
  fromSha256: z.string().nullable(),
  /** Hash of what is put there; null when the file is removed. */
  toSha256: z.string().nullable(),
  fromExecutable: executable,
  toExecutable: executable,
});
/** What a revert does to one file. `path` is relative to the folder, with `/`. */
export type RevertFile = Readonly<z.infer<typeof revertFileSchema>>;

/** Why a revert leaves a file as it is. `refused`: by the disk. */
export const leftReasons = ['changed', 'unsaved', 'not_kept', 'too_large', 'refused'] as const;
export type LeftReason = (typeof leftReasons)[number];
export const leftFileSchema = z.object({ path: z.string(), why: z.enum(leftReasons) });
export type LeftFile = Readonly<z.infer<typeof leftFileSchema>>;
