// What looks like a credential, by its form: for texts that leave the machine. It finds; who takes out, decides.

export interface SecretSpan {
  /** In the user's words: "GitHub token". */
  readonly kind: string;
  readonly start: number;
  readonly end: number;
}

/** Where there is a group, it is the secret; else the whole match. */
const patterns: readonly (readonly [string, RegExp])[] = [
  ['private key', /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/dg],
  ['Anthropic API key', /\bsk-ant-[\w-]{16,}/dg],
  ['API key', /\bsk-[\w-]{20,}/dg],
  ['GitHub token', /\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,})/dg],
  ['GitLab token', /\bglpat-[\w-]{16,}/dg],
  ['AWS access key', /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/dg],
  ['Google API key', /\bAIza[\w-]{30,}/dg],
  ['Slack token', /\bxox[abeoprs]-[\w-]{10,}/dg],
  ['npm token', /\bnpm_[A-Za-z0-9]{30,}/dg],
  ['Hugging Face token', /\bhf_[A-Za-z0-9]{20,}/dg],
  ['Stripe key', /\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,}/dg],
  ['web token', /\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}/dg],
  ['bearer token', /\bBearer ([\w.~+/=-]{16,})/dgi],
  ['password in an address', /:\/\/[^\s/:@]{1,64}:([^\s/@]{3,200})@/dg],
  // As in an .env file: whatever stands behind the name.
  [
    'value of a secret variable',
    /\b[A-Z0-9_]{0,40}(?:PASSWORD|PASSWD|SECRET|TOKEN|API_?KEY|PRIVATE_KEY|ACCESS_KEY)[A-Z0-9_]{0,20}=["']?([^\s"'`$(){}<>]{8,})/dg,
  ],
  // Elsewhere it may be code: what has no digit is taken for a name.
  [
    'value of a secret field',
    /(?:password|passwd|secret|token|api[_-]?key|private[_-]?key|access[_-]?key)["']?\s{0,3}[:=]\s{0,3}["']?((?!\d+\b)(?=[^\s"'`]{0,80}\d)[^\s"'`,;$(){}<>[\]]{8,})/dgi,
  ],
];

/** All places in a text that look like a credential or hold a known one; they may overlap. */
export function findSecrets(text: string, known: readonly string[]): readonly SecretSpan[] {
  const found: SecretSpan[] = [];
  for (const secret of known) {
    for (let at = text.indexOf(secret); at >= 0; at = text.indexOf(secret, at + 1)) {
      found.push({ kind: 'key that Ratchet knows', start: at, end: at + secret.length });
    }
  }
  for (const [kind, pattern] of patterns) {
    for (const match of text.matchAll(pattern)) {
      const [start, end] = match.indices?.[1] ?? match.indices?.[0] ?? [0, 0];
      found.push({ kind, start, end });
    }
  }
  return found;
}
