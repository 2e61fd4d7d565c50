import assert from 'node:assert/strict';
import { confinedEnvironment, credentialPlaces } from '../../../src/jobs/credentialPlaces.ts';

const isKept = (name: string, value: string): boolean => confinedEnvironment({ [name]: value })[name] === value;

describe('environment of a confined command', () => {
  const names = [
    ...['PGPASSWORD', 'MYSQL_PWD', 'SSHPASS', 'GH_PAT', 'OPENAI_KEY', 'OPENAIAPIKEY', 'STRIPE_KEY', 'ENCRYPTION_KEY'],
    ...[
      'DB_PASS',
      'NPM_CONFIG__AUTHTOKEN',
      'npm_config__auth',
      'AUTHORIZATION',
      'BEARER',
      'GITHUB_TOKEN',
      'REDISCLI_AUTH',
    ],
  ];
  for (const name of names) {
    it(`does not have ${name}`, () => {
      assert.equal(isKept(name, 'word'), false);
    });
  }

  for (const [name, value] of [
    ['DATABASE_URL', 'postgres://ada:word@db.example.com/x'],
    ['PIP_INDEX_URL', 'https://__token__:pypi-word@packages.example.com/simple'],
    ['HTTPS_PROXY', 'http://ada:word@proxy.example.com:3128'],
    ['REDIS', 'redis://:word@cache.example.com:6379'],
    ['REMOTE', 'https://0123456789abcdef0123@git.example.com/x.git'],
  ] as const) {
    it(`does not have the password in the address of ${name}`, () => {
      assert.equal(isKept(name, value), false);
    });
  }

  for (const [name, value] of [
    ['PATH', '/usr/bin:/bin'],
    ['PWD', '/home/ada/job'],
    ['OLDPWD', '/home/ada'],
    ['HTTPS_PROXY', 'http://proxy.example.com:3128'],
    ['DATABASE_URL', 'postgres://ada@db.example.com/x'],
    ['REMOTE', 'ssh://git@git.example.com/x.git'],
    ['AUTHOR', 'Ada'],
    ['KEYBOARD', 'us'],
    ['COMPASS', 'north'],
    ['PATTERN', 'x'],
    ['TOKENIZERS_PARALLELISM', 'false'],
    ['MAX_OUTPUT_TOKENS', '8000'],
    ['MAIL', 'see https://example.com/a, or write to ada@example.com'],
  ] as const) {
    it(`has ${name}=${value}`, () => {
      assert.equal(isKept(name, value), true);
    });
  }
});

describe('places of credentials', () => {
  const places = credentialPlaces('/home/ada');
  for (const path of [
    ...['.local/share/opencode/auth.json', '.qwen/oauth_creds.json', '.copilot/x', '.codeium/x', '.openai/x'],
    ...[
      '.config/goose/secrets.yaml',
      '.local/share/amp/secrets.json',
      '.config/openai/x',
      '.config/io.datasette.llm/keys.json',
    ],
    ...['.config/composer/auth.json', '.pulumi/credentials.json', '.modal.toml', '.wrangler/x', '.sentryclirc'],
    ...['.local/share/com.vercel.cli/auth.json', '.config/scw/x', '.mc/config.json', '.circleci/cli.yml', '.ngrok2/x'],
    ...['.runpod/x', '.mlflow/credentials', '.cargo/config.toml', '.config/sops/age/keys.txt', '.subversion/auth/x'],
    ...['.msmtprc', '.wgetrc', '.curlrc', '.config/solana/id.json', '.bitcoin/wallet.dat', '.electrum/x'],
    ...['.vscode-server-insiders/data/x', '.cursor-server/data/x', '.windsurf-server/data/x', '.vscode-oss/x'],
    ...['.config/zed/x', '.config/google-chrome-unstable/x', '.librewolf/x', '.config/Signal/x', '.config/discord/x'],
    ...['.local/share/TelegramDesktop/x', '.local/share/fish/fish_history', '.local/share/atuin/history.db'],
    ...['.ipython/profile_default/history.sqlite', '.bashrc', '.zshenv', '.config/fish/fish_variables'],
  ]) {
    it(`hold ~/${path}`, () => {
      assert.ok(places.some((place) => `/home/ada/${path}`.startsWith(place)));
    });
  }

  for (const path of [
    '.cargo/bin',
    '.rustup',
    '.nvm',
    '.pyenv',
    '.local/bin',
    '.cache',
    '.config',
    '.local/share/uv',
  ]) {
    it(`do not hold ~/${path}, which programs are found in`, () => {
      assert.ok(!places.includes(`/home/ada/${path}`));
    });
  }
});
