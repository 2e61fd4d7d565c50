// Where keys, tokens and histories lie on a machine: what no confined command gets to see. Names only; whether something is there
// is for others to find out.

import { join } from 'node:path';

const inHome: readonly string[] = [
  ...[
    '.ssh',
    '.aws',
    '.azure',
    '.gnupg',
    '.pki',
    '.kube',
    '.docker',
    '.oci',
    '.password-store',
    '.terraform.d',
    '.minikube',
  ],
  ...[
    '.netrc',
    '_netrc',
    '.authinfo',
    '.authinfo.gpg',
    '.git-credentials',
    '.npmrc',
    '.yarnrc',
    '.yarnrc.yml',
    '.pypirc',
  ],
  ...['.pgpass', '.my.cnf', '.mylogin.cnf', '.s3cfg', '.boto', '.vault-token', '.databrickscfg', '.dockercfg', '.fly'],
  ...['.terraformrc', '.cargo/credentials', '.cargo/credentials.toml', '.gem/credentials', '.bundle/config'],
  ...['.composer/auth.json', '.m2/settings.xml', '.m2/settings-security.xml', '.gradle/gradle.properties'],
  ...[
    '.nuget/NuGet/NuGet.Config',
    '.huggingface/token',
    '.cache/huggingface/token',
    '.kaggle',
    '.snowflake',
    '.jupyter',
  ],
  ...[
    '.anthropic',
    '.claude',
    '.claude.json',
    '.codex',
    '.gemini',
    '.cursor',
    '.continue',
    '.aider.conf.yml',
    '.netlify',
  ],
  ...['.bash_history', '.zsh_history', '.python_history', '.node_repl_history', '.psql_history', '.mysql_history'],
  ...['.sqlite_history', '.rediscli_history', '.lesshst', '.viminfo', '.Xauthority', '.ICEauthority', '.k5login'],
  ...['.qwen', '.copilot', '.codeium', '.openai', '.factory', '.windsurf', '.modal.toml', '.wrangler', '.sentryclirc'],
  ...['.pulumi', '.mc', '.circleci', '.ngrok', '.ngrok2', '.runpod', '.mlflow', '.subversion/auth', '.msmtprc'],
  ...['.wgetrc', '.curlrc', '.cargo/config', '.cargo/config.toml', '.bitcoin', '.litecoin', '.electrum', '.ethereum'],
  ...['.vscode-oss', '.librewolf', '.waterfox', '.purple', '.irssi', '.weechat', '.ipython/profile_default'],
  // What a shell starts with holds exported keys more often than not; programs are started with the variables already.
  ...[
    '.bashrc',
    '.bash_profile',
    '.bash_login',
    '.bash_aliases',
    '.profile',
    '.zshrc',
    '.zshenv',
    '.zprofile',
    '.zlogin',
  ],
  ...['.kshrc', '.cshrc', '.tcshrc', '.xprofile', '.xsessionrc', '.pam_environment', '.envrc', '.env'],
  ...['.mozilla', '.thunderbird', '.var/app', 'snap', '.colima', '.lima', '.orbstack', '.rd'],
];

const inConfig: readonly string[] = [
  ...[
    'gh',
    'glab-cli',
    'hub',
    'gcloud',
    'doctl',
    'rclone',
    'op',
    'Bitwarden',
    'Bitwarden CLI',
    '1Password',
    'keepassxc',
  ],
  ...[
    'git/credentials',
    'configstore',
    'heroku',
    'netlify',
    'stripe',
    'hcloud',
    'containers',
    'pip',
    'pypoetry',
    'NuGet',
  ],
  ...[
    'google-chrome',
    'google-chrome-beta',
    'chromium',
    'BraveSoftware',
    'microsoft-edge',
    'opera',
    'vivaldi',
    'Slack',
  ],
  ...[
    'Code',
    'Code - Insiders',
    'Code - OSS',
    'VSCodium',
    'Cursor',
    'Windsurf',
    'code-server',
    'github-copilot',
    'anthropic',
  ],
  ...['goose', 'openai', 'io.datasette.llm', 'opencode', 'composer', 'scw', 'sops', 'solana', '.wrangler', 'ngrok'],
  ...['google-chrome-unstable', 'Signal', 'discord', 'Element', 'zed', 'fish', 'msmtp', 'environment.d', 'Electrum'],
  ...['systemd', 'autostart'],
];

const inData: readonly string[] = [
  'keyrings',
  'kwalletd',
  'gnome-keyring',
  'containers',
  'code-server',
  'gvfs-metadata',
  ...[
    'opencode',
    'amp',
    'com.vercel.cli',
    'TelegramDesktop',
    'fish',
    'atuin',
    'zed',
    'goose',
    'io.datasette.llm',
    'ngrok',
  ],
];

/** Of editors that work on this machine from another one. Their programs stay: a command may be one of them. */
const editorServers = [
  ...['.vscode-server', '.vscode-server-insiders', '.vscode-server-oss', '.vscodium-server', '.cursor-server'],
  ...['.windsurf-server', '.trae-server'],
];

/** Read by root only, and root may be the user. */
const ofMachine: readonly string[] = [
  ...[
    '/etc/shadow',
    '/etc/shadow-',
    '/etc/gshadow',
    '/etc/gshadow-',
    '/etc/sudoers',
    '/etc/sudoers.d',
    '/etc/ssl/private',
  ],
  ...['/etc/ssh', '/etc/krb5.keytab', '/etc/NetworkManager/system-connections', '/etc/wireguard', '/etc/kubernetes'],
  ...[
    '/var/lib/docker',
    '/var/lib/containerd',
    '/var/lib/kubelet',
    '/var/lib/sss',
    '/var/spool/cron',
    '/var/log',
    '/boot',
  ],
  ...['/sys/kernel/debug', '/sys/kernel/tracing', '/sys/firmware', '/mnt/wslg', '/var/run'],
];

/** Places of credentials of a user with this home folder, and of the machine. */
export function credentialPlaces(home: string): readonly string[] {
  return [
    ...inHome.map((name) => join(home, name)),
    ...inConfig.map((name) => join(home, '.config', name)),
    ...inData.map((name) => join(home, '.local', 'share', name)),
    ...editorServers.flatMap((server) => ['data', 'cli'].map((name) => join(home, server, name))),
    ...ofMachine,
  ];
}

/** Words that make a name one of a secret wherever they stand in it: `DB_PASS`, `OPENAIAPIKEY`, `NPM_CONFIG__AUTHTOKEN`. */
const secretName =
  /TOKEN|SECRET|PASSW|PASSPHRASE|CREDENTIAL|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|SSHPASS|(^|_|[A-Z])PWD$|(_|^)(KEY|KEYS|PASS|PAT|AUTH|AUTHORIZATION|BEARER|COOKIES?|DSN|SAS|JWT)(_|$)/i;
/** The folder that a shell is in, and what is only named like a secret and is none. */
const noSecret = /^(PWD|OLDPWD|TOKENIZERS_.*|(.*_)?(MAX|NUM)_(.*_)?TOKENS|.*_(PUBLIC|HOST)_KEY)$/i;
/** A password in an address: `postgres://ada:word@host`; also a token in place of the user. Not `git@host` of ssh. */
const addressWithSecret = /[a-z][a-z0-9+.-]*:\/\/([^\s/?#@:]*:[^\s@]+|[^\s/?#@:]{16,})@/i;

const wayOut =
  /^(SSH_AUTH_SOCK|SSH_AGENT_PID|SSH_CONNECTION|SSH_CLIENT|SSH_TTY|GPG_AGENT_INFO|DBUS_.*|DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|XDG_RUNTIME_DIR|DOCKER_HOST|CONTAINER_HOST|KUBECONFIG|TMUX|STY|AWS_.*|AZURE_.*|GOOGLE_APPLICATION_.*|VAULT_.*|KRB5CCNAME|GIT_ASKPASS|SSH_ASKPASS|ICEAUTHORITY|SESSION_MANAGER)$/;

/** The environment of a confined command: without what looks like a secret and without the addresses of agents and services. */
export function confinedEnvironment(environment: Readonly<Record<string, string>>): Record<string, string> {
  const kept = Object.entries(environment).filter(([name, value]) => !isSecret(name, value) && !wayOut.test(name));
  return { ...Object.fromEntries(kept), TMPDIR: '/tmp', TMP: '/tmp', TEMP: '/tmp', RATCHET_SANDBOX: '1' };
}

function isSecret(name: string, value: string): boolean {
  return (secretName.test(name) && !noSecret.test(name)) || addressWithSecret.test(value);
}
