// Errors of the operating system, told apart by their code, and what they mean in words.

/** The `code` of a system error (`ENOENT`, …), or undefined for anything else. */
export function systemErrorCode(error: unknown): string | undefined {
  // Our own errors have codes too, in lower case.
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && /^[A-Z]/.test(error.code)
    ? error.code
    : undefined;
}

const refusals: Readonly<Record<string, { readonly words: string; readonly advice: string }>> = {
  ENOSPC: { words: 'the disk is full', advice: 'Free some space.' },
  EDQUOT: { words: 'the disk quota is used up', advice: 'Free some space.' },
  EFBIG: { words: 'the file would be larger than is allowed', advice: 'Raise the limit on the size of files.' },
  EROFS: { words: 'the disk is read-only', advice: 'Make it writable again.' },
  EACCES: { words: 'permission denied', advice: 'Check the permissions of its folder.' },
  EPERM: { words: 'permission denied', advice: 'Check the permissions of its folder.' },
  EIO: { words: 'the disk reports an error', advice: 'Check the disk.' },
  EMFILE: { words: 'too many files are open', advice: 'Close some programs.' },
  ENFILE: { words: 'too many files are open', advice: 'Close some programs.' },
};

/** Whether the disk refused something for a reason that may pass: full, read-only, no permission, … */
export function isDiskRefusal(error: unknown): boolean {
  const code = systemErrorCode(error);
  return code !== undefined && Object.hasOwn(refusals, code);
}

/** What a system error means, in words and without the machine's paths: "the disk is full". */
export function systemErrorWords(error: unknown): string {
  const refusal = refusals[systemErrorCode(error) ?? ''];
  if (refusal) return refusal.words;
  return (error instanceof Error ? error.message : String(error)).replace(/, \w+( '.*)?$/s, '');
}

/** What the user can do about it, as a sentence. */
export function systemErrorAdvice(error: unknown): string {
  return refusals[systemErrorCode(error) ?? '']?.advice ?? 'Check the disk and the permissions of its folder.';
}
