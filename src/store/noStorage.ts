// The store of a window without a folder: there are no sessions, and making one says why.
import { RatchetError } from '../core/errors.ts';
import type { SessionStore } from '../runner/sessionStore.ts';

const noFolder = (): Promise<never> =>
  Promise.reject(new RatchetError('no_folder', 'Open a folder first: a session belongs to one.'));
const notFound = (): Promise<never> =>
  Promise.reject(new RatchetError('not_found', 'This session does not exist. Open its folder first.'));

export const noStorage: SessionStore = {
  list: () => Promise.resolve([]),
  create: noFolder,
  fork: notFound,
  importTrace: noFolder,
  open: notFound,
  moveToTrash: notFound,
  restoreFromTrash: notFound,
  adoptable: () => Promise.resolve([]),
  adopt: noFolder,
};
