// Errors of the operating system, told apart by their code.

/** The `code` of a system error (`ENOENT`, …), or undefined for anything else. */
export function systemErrorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
