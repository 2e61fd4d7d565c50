// What looks like a credential, by its form: for texts that leave the machine. It finds; who takes out, decides.
import type { SecretFinder, Span } from './secretForms.ts';

export interface SecretSpan extends Span {
  /** In the user's words: "GitHub token". */
  readonly kind: string;
}

/**
 * Tokens that say themselves whose they are. Each begins with letters of its own, so that a search is cheap.
 * Sources: the documentation of the services.
 */
const tokens: readonly (readonly [string, RegExp])[] = [
  ['Anthropic API key', /\bsk-ant-[\w-]{16,}/g],
  ['API key', /\bsk-[\w-]{20,}/g],
  ['GitHub token', /\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,})/g],
  ['GitLab token', /\bgl(?:pat|dt|rt|rtr|cbt|ptt|ft|imt|agent|oas|soat|ffct)-[\w-]{16,}/g],
  ['AWS access key', /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b/g],
  ['Google API key', /\bAIza[\w-]{30,}/g],
  ['Google token', /\b(?:ya29\.[\w-]{20,}|GOCSPX-[\w-]{20,}|1\/\/0[\w-]{30,})/g],
  ['Slack token', /\b(?:xox[abceoprs](?:\.xox[bp])?-[\w-]{10,}|xapp-\d-[\w-]{20,})/g],
  ['Slack webhook', /hooks\.slack\.com\/(?:services|workflows|triggers)\/([\w/-]{20,})/g],
  ['npm token', /\bnpm_[A-Za-z0-9]{30,}/g],
  ['PyPI token', /\bpypi-[\w-]{16,}/g],
  ['RubyGems key', /\brubygems_[a-f0-9]{32,}/g],
  ['crates.io token', /\bcio[A-Za-z0-9]{32}\b/g],
  ['NuGet key', /\boy2[a-z0-9]{43}\b/g],
  ['Docker token', /\bdckr_(?:pat|oat)_[\w-]{20,}/g],
  ['Hugging Face token', /\b(?:hf|api_org)_[A-Za-z0-9]{20,}/g],
  ['Stripe key', /\b(?:[rs]k_(?:live|test)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9+/=]{24,})/g],
  ['SendGrid key', /\bSG\.[\w-]{16,}\.[\w-]{16,}/g],
  ['Twilio key', /\bSK[0-9a-f]{32}\b/g],
  ['Mailgun key', /\bkey-[0-9a-f]{32}\b/g],
  ['Mailchimp key', /\b[0-9a-f]{32}-us\d{1,2}\b/g],
  ['Discord token', /\b[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,40}/g],
  ['Discord webhook', /discord(?:app)?\.com\/api\/webhooks\/\d+\/([\w-]{40,})/g],
  ['Telegram token', /(?<!\d)\d{8,10}:AA[\w-]{32,34}/g],
  ['Azure client secret', /(?<![\w~.-])[\w~.-]{3}\dQ~[\w~.-]{31,34}/g],
  ['DigitalOcean token', /\bdo[opr]_v1_[a-f0-9]{40,}/g],
  ['Shopify token', /\bshp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}/g],
  ['Square token', /\bsq0(?:atp|csp)-[\w-]{22,}/g],
  ['Vault token', /\bhv[sbr]\.[\w-]{24,}/g],
  ['Terraform token', /\b[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,}/g],
  ['Databricks token', /\bdapi[0-9a-f]{32}(?:-\d+)?\b/g],
  ['Replicate token', /\br8_[A-Za-z0-9]{37}\b/g],
  ['Groq key', /\bgsk_[A-Za-z0-9]{40,}/g],
  ['xAI key', /\bxai-[A-Za-z0-9]{60,}/g],
  ['Perplexity key', /\bpplx-[A-Za-z0-9]{40,}/g],
  ['Grafana token', /\b(?:glsa_[A-Za-z0-9]{32}_[a-fA-F0-9]{8}|glc_eyJ[\w+/=-]{20,})/g],
  ['New Relic key', /\bNRAK-[A-Z0-9]{27}\b/g],
  ['Sentry token', /\bsntry[su]_[\w+/=-]{40,}/g],
  ['Linear key', /\blin_(?:api|oauth)_[A-Za-z0-9]{32,}/g],
  ['Notion token', /\b(?:ntn_[A-Za-z0-9]{40,}|secret_[A-Za-z0-9]{43})\b/g],
  ['Atlassian token', /\b(?:ATATT3|ATCTT3|ATBB)[\w=-]{20,}/g],
  ['Supabase token', /\b(?:sbp_[a-f0-9]{40}|sb_secret_[\w-]{20,})/g],
  ['PlanetScale token', /\bpscale_(?:tkn|pw|oauth)_[\w.=-]{30,}/g],
  ['Airtable token', /\bpat[A-Za-z0-9]{14}\.[a-f0-9]{64}\b/g],
  ['Figma token', /\bfigd_[\w-]{36,}/g],
  ['Postman key', /\bPMAK-[a-f0-9]{24}-[a-f0-9]{34}\b/g],
  ['Heroku key', /\bHRKU-[\w-]{30,}/g],
  ['age key', /\bAGE-SECRET-KEY-1[0-9A-Z]{50,}/g],
  ['web token', /\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}/g],
];

/** What is only a credential where it stands. Where there is a group, it is the secret; else the whole match. */
const places: readonly (readonly [string, RegExp])[] = [
  [
    'private key',
    /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----|$)/g,
  ],
  ['private key', /\bPrivate-Lines: \d+\s+([A-Za-z0-9+/=\s]{40,}?)(?=\s*Private-MAC|$)/g],
  [
    'login of a header',
    /\bauthorization["']?\s{0,3}[:=]\s{0,3}["']?(?:basic|token|digest|apikey)\s+([\w.~+/=:-]{6,})/gi,
  ],
  ['bearer token', /\bBearer ([\w.~+/=-]{16,})/gi],
  [
    'key of a header',
    /\b(?:x-api-key|api-key|x-auth-token|x-access-token|private-token)["']?\s{0,3}:\s{0,3}["']?([\w.~+/=-]{8,})/gi,
  ],
  ['cookie', /\b(?:set-)?cookie["']?: ["']?[^\s=;"']{1,60}=([^\s;"']{12,})/gi],
  ['password in an address', /:\/\/[^\s/:@"'<>]{0,64}:(?![$<{*])([^\s/@"'<>]{2,200})@/g],
  [
    'signature in an address',
    /[?&](?:sig|signature|x-amz-signature|x-goog-signature|access_token|token|api_?key|key)=([\w%.~+/=-]{16,})/gi,
  ],
  [
    'key of a connection string',
    /\b(?:AccountKey|SharedAccessKey|SharedSecretIssuerSecret)\s?=\s?([A-Za-z0-9+/=]{20,})/gi,
  ],
  ['password of a connection string', /;\s{0,3}(?:password|pwd)\s?=\s?(?![$<{*])([^\s;"']{3,})/gi],
  ['login of a command', /\bcurl\b[^\n|;&]{0,200}?\s(?:-u|--user)[ =]?["']?[^\s:"'$]{1,64}:(?![$<{])([^\s"']{3,})/g],
  [
    'password of a command',
    /\b(?:mysql|mysqldump|mysqladmin|mariadb|mariadb-dump)\b[^\n|;&]{0,200}?\s-p(?![$<{])([^\s"'$]{3,})/g,
  ],
  [
    'password of a command',
    /\b(?:sshpass|docker login|podman login|helm registry login)\b[^\n|;&]{0,200}?\s-p ?["']?(?![$<{-])([^\s"']{3,})/g,
  ],
  [
    'password of a command',
    /\s--(?:password|passwd|token|secret|api-key|access-key|secret-key)[ =]["']?(?![$<{-])(?=[^\s"']{0,80}\d)([^\s"'`]{6,})/g,
  ],
  ['password of .netrc', /\blogin\s+\S{1,100}\s+password\s+(\S{3,})/g],
  ['login of Docker', /"(?:auth|identitytoken|registrytoken)"\s{0,3}:\s{0,3}"([\w+/=.-]{12,})"/g],
  ['login of npm', /\b_(?:auth|authToken|password)\s?=\s?["']?(?!\$\{)([\w+/=.-]{8,})/g],
  ['key of Kubernetes', /\bclient-key-data:\s{0,3}["']?([A-Za-z0-9+/=]{20,})/g],
  ['key of Kaggle', /"username"\s?:\s?"[^"\s]{1,60}"\s?,\s?"key"\s?:\s?"([0-9a-f]{32})"/g],
  // As in an .env file: whatever stands behind the name.
  [
    'value of a secret variable',
    /\b[A-Z0-9_]{0,40}(?:PASSWORD|PASSWD|PASSPHRASE|SECRET|TOKEN|API_?KEY|PRIVATE_KEY|ACCESS_KEY|CREDENTIALS?)[A-Z0-9_]{0,20}=["']?([^\s"'`$(){}<>]{8,})/g,
  ],
  ['value of a secret variable', /\b[A-Z0-9_]{0,40}(?:PASSWORD|PASSWD|PASSPHRASE)=["']?([^\s"'`$(){}<>]{3,})/g],
  // Elsewhere it may be code: what has no digit is taken for a name.
  [
    'value of a secret field',
    /(?:password|passwd|passphrase|secret|token|api[_-]?key|private[_-]?key|access[_-]?key)["']?\s{0,3}[:=]\s{0,3}["']?((?!\d+\b)(?=[^\s"'`]{0,80}\d)[^\s"'`,;$(){}<>[\]]{8,})/gi,
  ],
  [
    'password',
    /\b(?:password|passwd|passphrase)["']?\s{0,3}[:=]\s{0,3}["']((?=[^\s"'`]{0,80}\d)[^\s"'`,;$(){}<>[\]]{5,})["']/gi,
  ],
];

/** All places in a text that look like a credential or hold a known one; they may overlap. */
export function findSecrets(text: string, known: SecretFinder): readonly SecretSpan[] {
  const found = known(text).map(({ start, end }): SecretSpan => ({ kind: 'key that Ratchet knows', start, end }));
  for (const [kind, pattern] of [...tokens, ...places]) {
    for (const match of text.matchAll(pattern)) {
      const [whole, group] = match;
      // The secret stands at the end of what tells it, or all of it is the secret.
      const start = match.index + (group === undefined ? 0 : whole.lastIndexOf(group));
      found.push({ kind, start, end: start + (group ?? whole).length });
    }
  }
  return found;
}
