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
  ...['systemd', 'autostart'],
];

const inData: readonly string[] = [
  'keyrings',
  'kwalletd',
  'gnome-keyring',
  'containers',
  'code-server',
  'gvfs-metadata',
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
    ...['data', 'cli'].map((name) => join(home, '.vscode-server', name)),
    ...ofMachine,
  ];
}

const secretName =
  /(_|^)(TOKEN|SECRETS?|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|APIKEY|API_KEY|ACCESS_KEY|PRIVATE_KEY|AUTH|COOKIE)(_|$)/i;
const wayOut =
  /^(SSH_AUTH_SOCK|SSH_AGENT_PID|SSH_CONNECTION|SSH_CLIENT|SSH_TTY|GPG_AGENT_INFO|DBUS_.*|DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|XDG_RUNTIME_DIR|DOCKER_HOST|CONTAINER_HOST|KUBECONFIG|TMUX|STY|AWS_.*|AZURE_.*|GOOGLE_APPLICATION_.*|VAULT_.*|KRB5CCNAME|GIT_ASKPASS|SSH_ASKPASS|ICEAUTHORITY|SESSION_MANAGER)$/;

/** The environment of a confined command: without what looks like a secret and without the addresses of agents and services. */
export function confinedEnvironment(environment: Readonly<Record<string, string>>): Record<string, string> {
  const kept = Object.entries(environment).filter(([name]) => !secretName.test(name) && !wayOut.test(name));
  return { ...Object.fromEntries(kept), TMPDIR: '/tmp', TMP: '/tmp', TEMP: '/tmp', RATCHET_SANDBOX: '1' };
}
