// The habits and the layers that a machine can check. What a layer may import is in `layers`.
import importX, { createNodeResolver } from 'eslint-plugin-import-x';
import tseslint from 'typescript-eslint';

const typescript = ['**/*.ts', '**/*.tsx'];
const pure = ['src/core/**', 'src/protocol/**', 'src/projection/**'];
const outside = ['store', 'jobs', 'tools', 'model'];

// target: who imports; only: what of src/ it may import (itself always). The picture is in ARCHITECTURE.md.
const layers = [
  { target: 'platform', only: [] },
  { target: 'core', only: [] },
  { target: 'protocol', only: ['core'] },
  { target: 'runner', only: ['core', 'protocol', 'projection'] },
  { target: 'projection', only: ['core', 'protocol'] },
  { target: 'panel', only: ['core', 'protocol', 'projection', 'runner'] },
  ...outside.map((target) => ({
    target,
    only: [
      'core',
      'platform',
      'runner/ports.ts',
      'runner/runStopped.ts',
      'runner/sessionStore.ts',
      ...outside.filter((other) => other !== target),
    ],
  })),
];
const zones = [
  ...layers.map(({ target, only }) => ({
    target: `./src/${target}`,
    from: './src',
    except: [`./${target}`, ...only.map((layer) => `./${layer}`)],
    message: `src/${target} may import ${['itself', ...only].join(', ')} and nothing else of src/.`,
  })),
  {
    target: './webview-ui',
    from: './src',
    except: ['./protocol', './core'],
    message: 'The panel knows the protocol and the core, not the host.',
  },
  { target: './src', from: './webview-ui', message: 'The panel is reached by the protocol only.' },
  {
    target: ['./src', './webview-ui'],
    from: ['./test', './scripts', './bench'],
    message: 'What ships does not need tests or scripts.',
  },
];

const vscodeImport = { name: 'vscode', message: 'Only src/host and src/extension.ts know VS Code.' };
const nodeImports = { regex: '^node:', message: 'This layer is pure: what it needs is passed in.' };

export default tseslint.config(
  { ignores: ['dist/', 'out/', 'node_modules/', '.vscode-test/', '.cache/'] },
  {
    files: typescript,
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    plugins: { 'import-x': importX },
    settings: {
      'import-x/extensions': ['.ts', '.tsx'],
      'import-x/parsers': { '@typescript-eslint/parser': ['.ts', '.tsx'] },
      'import-x/resolver-next': [createNodeResolver()],
    },
    rules: {
      'max-lines': ['error', { max: 450 }],
      eqeqeq: 'error',
      'import-x/no-restricted-paths': ['error', { basePath: import.meta.dirname, zones }],
      'import-x/no-cycle': 'error',
      'import-x/no-default-export': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      // A type alias and an interface are both at home: unions are made of aliases, ports of interfaces.
      '@typescript-eslint/consistent-type-definitions': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    },
  },
  {
    files: ['src/**/*.ts', 'webview-ui/**/*.{ts,tsx}'],
    ignores: ['src/host/**', 'src/extension.ts', 'src/api.ts', ...pure, 'webview-ui/**'],
    rules: { '@typescript-eslint/no-restricted-imports': ['error', { paths: [vscodeImport] }] },
  },
  {
    files: ['src/api.ts'],
    rules: {
      '@typescript-eslint/no-restricted-imports': ['error', { paths: [{ ...vscodeImport, allowTypeImports: true }] }],
    },
  },
  {
    files: [...pure, 'webview-ui/**/*.{ts,tsx}'],
    // The gallery serves the panel to a browser on its own; it is a tool, not a part of the panel.
    ignores: ['webview-ui/gallery/**'],
    rules: {
      '@typescript-eslint/no-restricted-imports': ['error', { paths: [vscodeImport], patterns: [nodeImports] }],
    },
  },
  {
    files: pure,
    rules: {
      'no-restricted-globals': [
        'error',
        ...['process', 'Buffer', 'performance', 'setTimeout', 'setInterval', 'setImmediate', 'fetch', 'console'].map(
          (name) => ({
            name,
            message: 'This layer is pure: what it needs is passed in.',
          }),
        ),
      ],
      'no-restricted-properties': [
        'error',
        { object: 'Date', property: 'now', message: 'The time is passed in.' },
        { object: 'Math', property: 'random', message: 'Ids are passed in.' },
      ],
    },
  },
  {
    files: ['test/**/*.ts'],
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-empty-function': 'off',
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/only-throw-error': 'off',
    },
  },
);
