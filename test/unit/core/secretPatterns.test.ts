import assert from 'node:assert/strict';
import { createExportRedactor } from '../../../src/core/exportRedaction.ts';
import { redactedMark } from '../../../src/core/redact.ts';

/** Of a length and an alphabet, the same each time; put together here so that no scanner takes this file for a leak. */
function made(length: number, alphabet = 'aB3dE5fG7hJ9kL2mN4pQ6rS8tU'): string {
  return Array.from({ length }, (_, at) => alphabet[(at * 7 + 3) % alphabet.length]).join('');
}
const hex = (length: number): string => made(length, '0a1b2c3d4e5f6789');
const upper = (length: number): string => made(length, 'A2B3C4D5E6F7G2H3');
const base64 = (length: number): string => made(length, 'aB3+dE5/fG7hJ9kL2mN4');

/** What it is, the text with § for the secret, the secret. */
const credentials: readonly (readonly [string, string, string])[] = [
  ['Anthropic', 'key: §', `sk-ant-api03-${made(40)}`],
  ['OpenAI', 'OPENAI §', `sk-proj-${made(48)}`],
  ['GitHub, classic', 'git clone with § now', `ghp_${made(36)}`],
  ['GitHub, OAuth', '§', `gho_${made(36)}`],
  ['GitHub, fine-grained', '§', `github_pat_${made(22)}_${made(59)}`],
  ['GitLab', '§', `glpat-${made(20)}`],
  ['GitLab runner', '§', `glrt-${made(20)}`],
  ['AWS access key', 'AKID § is in use', `AKIA${upper(16)}`],
  ['AWS session', '§', `ASIA${upper(16)}`],
  ['AWS secret, credentials file', 'aws_secret_access_key = §', base64(40)],
  ['AWS secret, JSON', '"SecretAccessKey": "§"', base64(40)],
  ['AWS secret, environment', 'export AWS_SECRET_ACCESS_KEY=§', base64(40)],
  ['Google API', '§', `AIza${made(35)}`],
  ['Google OAuth client', '"client_secret": "§"', `GOCSPX-${made(28)}`],
  ['Google access token', '§', `ya29.${made(60)}`],
  [
    'Google service account',
    '"private_key": "§\\n", "client_email"',
    `-----BEGIN PRIVATE KEY-----\\n${base64(64)}\\n-----END PRIVATE KEY-----`,
  ],
  ['Slack bot', '§', `xoxb-${hex(12)}-${hex(12)}-${made(24)}`],
  ['Slack app', '§', `xapp-1-${upper(11)}-${hex(13)}-${hex(64)}`],
  ['Slack webhook', 'https://hooks.slack.com/services/§', `T${upper(8)}/B${upper(8)}/${made(24)}`],
  ['npm', '§', `npm_${made(36)}`],
  ['npm in .npmrc', '//registry/:_authToken=§', made(36)],
  ['PyPI', '§', `pypi-${made(80)}`],
  ['RubyGems', '§', `rubygems_${hex(48)}`],
  ['crates.io', '§', `cio${made(32)}`],
  ['Docker Hub', '§', `dckr_pat_${made(27)}`],
  ['Docker config', '{"auths":{"https://index.docker.io/v1/":{"auth":"§"}}}', base64(36)],
  ['Hugging Face', '§', `hf_${made(34)}`],
  ['Stripe, live', '§', `sk_live_${made(24)}`],
  ['Stripe, restricted', '§', `rk_test_${made(24)}`],
  ['Stripe webhook', '§', `whsec_${made(32)}`],
  ['SendGrid', '§', `SG.${made(22)}.${made(43)}`],
  ['Twilio key', '§', `SK${hex(32)}`],
  ['Twilio token', 'TWILIO_AUTH_TOKEN=§', hex(32)],
  ['Mailgun', '§', `key-${hex(32)}`],
  ['Mailchimp', '§', `${hex(32)}-us12`],
  ['Discord bot', '§', `M${made(25)}.${made(6)}.${made(38)}`],
  ['Discord webhook', 'https://discord.com/api/webhooks/123456789/§', made(68)],
  ['Telegram bot', 'https://api.telegram.org/bot§/getMe', `123456789:AA${made(33)}`],
  ['Azure storage', 'DefaultEndpointsProtocol=https;AccountName=a;AccountKey=§;EndpointSuffix=x', `${base64(86)}==`],
  ['Azure service bus', 'Endpoint=sb://a/;SharedAccessKeyName=n;SharedAccessKey=§', `${base64(43)}=`],
  ['Azure SAS', 'https://a.blob.core.windows.net/c?sv=2024&se=2026&sig=§&sp=r', `${made(43)}%3D`],
  ['Azure client', '§', `aB38Q~${made(33)}`],
  ['SQL Server', 'Server=db;User Id=sa;Password=§;', 'S3cret!x'],
  ['Postgres', 'postgres://app:§@db:5432/app', 'hunter2'],
  ['MongoDB', 'mongodb+srv://app:§@c0.example.net', 'pa55w0rd'],
  ['Redis without a name', 'redis://:§@cache:6379', 'hunter2'],
  ['address with a login', 'curl https://ada:§@example.com/a', 'lovelace'],
  ['Authorization: Basic', 'Authorization: Basic §', base64(24)],
  ['Authorization: Bearer', 'authorization: bearer §', made(32)],
  ['Authorization: token', 'Authorization: token §', hex(40)],
  ['X-Api-Key', "-H 'X-Api-Key: §'", made(24)],
  ['cookie', 'Set-Cookie: session=§; Path=/', made(32)],
  ['web token', '§', `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.${made(43)}`],
  ['.env, short', 'DB_PASSWORD=§', 'abc123'],
  ['.env, quoted', 'JWT_SECRET="§"', 'correct-horse-battery'],
  ['JSON', '"password": "§"', 'pa55w0rd'],
  ['YAML', 'db_password: §', 'pa55w0rd-long'],
  ['mysql', 'mysql -u root -p§ shop', 'S3cretx'],
  ['curl -u', 'curl -s -u ada:§ https://example.com', 'lovelace1'],
  ['an option', 'tool login --password §', 'pa55w0rd'],
  ['.netrc', 'machine example.com login ada password §', 'lovelace'],
  ['Kubernetes, token', '    token: §', made(40)],
  ['Kubernetes, key', '    client-key-data: §', base64(60)],
  ['Kaggle', '{"username":"ada","key":"§"}', hex(32)],
  [
    'OpenSSH key',
    'a\n§\nb',
    `-----BEGIN OPENSSH PRIVATE KEY-----\n${base64(70)}\n${base64(40)}\n-----END OPENSSH PRIVATE KEY-----`,
  ],
  ['PGP key', '§', `-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n${base64(60)}\n-----END PGP PRIVATE KEY BLOCK-----`],
  ['RSA key that is cut', '§', `-----BEGIN RSA PRIVATE KEY-----\n${base64(64)}`],
  ['age', '§', `AGE-SECRET-KEY-1${upper(58)}`],
  ['DigitalOcean', '§', `dop_v1_${hex(64)}`],
  ['Shopify', '§', `shpat_${hex(32)}`],
  ['Vault', '§', `hvs.${made(90)}`],
  ['Databricks', '§', `dapi${hex(32)}`],
  ['Groq', '§', `gsk_${made(52)}`],
  ['Grafana', '§', `glsa_${made(32)}_${hex(8)}`],
  ['Linear', '§', `lin_api_${made(40)}`],
  ['Atlassian', '§', `ATATT3${made(60)}`],
];

const harmless: readonly string[] = [
  `commit ${hex(40)}`,
  hex(64),
  `sha256:${hex(64)}`,
  `sha512-${base64(86)}==`,
  '"integrity": "sha512-abcDEF123/xyz+abcDEF123/xyz=="',
  '6f9619ff-8b86-d011-b42d-00c04fc964ff',
  'request-id: 6f9619ff-8b86-d011-b42d-00c04fc964ff',
  `data:image/png;base64,${base64(200)}`,
  base64(120),
  'index 83db48f..bf3a1c2 100644',
  'https://example.com/a/b?page=2&sort=name',
  'https://example.com:8443/path@2x.png',
  'git@github.com:owner/repository.git',
  'ssh://git@example.com/repository.git',
  'postgres://localhost:5432/app',
  'postgres://app:${DB_PASSWORD}@db/app',
  'postgres://app:$PASSWORD@db/app',
  'https://user:<password>@example.com',
  'password: string;',
  'const password = getPassword();',
  'token = tokenizer.next()',
  'if (token === undefined) return;',
  'function apiKey(): string { return read(); }',
  'export SECRET=$(cat secret.txt)',
  'PASSWORD=${PASSWORD}',
  '--token $TOKEN',
  '--password-file pw.txt',
  'mysql -u root -p shop',
  'curl -u "$USER:$PASS" https://example.com',
  'max_tokens: 64000',
  '"inputTokens": 123456789',
  'tokens: 12345678',
  'secretary of the board',
  'a task-force-for-something-long-and-readable',
  'risk-adjusted-returns-of-the-portfolio',
  'disk-usage-per-directory-and-user',
  'skip-this-step-when-it-is-done-already',
  'The bearer of this letter',
  'Bearer tokens are explained below',
  'Authorization: Bearer $TOKEN',
  'x-api-key: $KEY',
  'npm_config_registry',
  'npm_package_version=1.2.3',
  'hf_hub_download(repo_id="a/b")',
  'SG.exports = {}',
  '12:34:56.789 INFO started',
  '2026-12-01T03:15:33.000Z',
  '-----BEGIN CERTIFICATE-----',
  `-----BEGIN PUBLIC KEY-----\n${base64(64)}\n-----END PUBLIC KEY-----`,
  `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA${base64(40)} ada@home`,
  'src/core/secretPatterns.ts:12:34: error: unexpected token',
  'epoch 12/20 loss=0.1234 acc=0.98',
  'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA',
  'AKIA is how an access key begins',
  'the sk- prefix',
  'cookie: none',
];

function exported(text: string): string {
  return createExportRedactor([]).text(text);
}

describe('what an export takes for a credential', () => {
  for (const [what, text, secret] of credentials) {
    it(what, () => {
      const after = exported(text.replace('§', () => secret));
      assert.equal(after, text.replace('§', redactedMark));
    });
  }
});

describe('what an export leaves as it is', () => {
  for (const text of harmless) {
    it(text.replaceAll('\n', ' ').slice(0, 70), () => {
      assert.equal(exported(text), text);
    });
  }
});
