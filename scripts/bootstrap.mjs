// Makes a fresh clone runnable with nothing but Node's own modules (20 or newer), then hands over to the project's
// own Node 24 (the npm package `node`). It must never import a package: there may be none yet.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const binFolder = path.join(root, 'node_modules', '.bin');

/**
 * Installs the dependencies where they are missing or differ from package-lock.json, then runs a script of this
 * folder on the project's Node with the same arguments and ends with its exit code.
 *
 * @param {string} script file name inside scripts/
 */
export async function runOnProjectNode(script) {
  try {
    requireNode(20);
    await ensureDependencies();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    console.log('0 passed, 1 failed');
    process.exitCode = 1;
    return;
  }
  const child = spawn(projectNode(), [path.join(root, 'scripts', script), ...process.argv.slice(2)], {
    cwd: root,
    stdio: 'inherit',
    env: projectEnvironment(),
  });
  // A terminal tells the whole group; a supervisor tells only this process. The child expects both.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  const watch = watchNpm(() => child.kill('SIGTERM'));
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (exitCode, signal) => resolve(exitCode ?? (signal === 'SIGINT' ? 130 : 143)));
  });
  clearInterval(watch);
  process.exit(code);
}

// The shell between npm and this process dies of a signal without passing it on: then this process has a new parent.
function watchNpm(onEnd) {
  if (process.env['npm_lifecycle_event'] === undefined || process.platform === 'win32') return undefined;
  const parent = process.ppid;
  return setInterval(() => {
    if (process.ppid !== parent) onEnd();
  }, 500);
}

function requireNode(major) {
  if (Number(process.versions.node.split('.')[0]) >= major) return;
  throw new Error(`Node ${process.versions.node} is too old: install Node ${major} or newer, it brings npm with it.`);
}

async function ensureDependencies() {
  if (!dependenciesMatchLock()) {
    console.log('Installing dependencies (npm ci) ...');
    await npm(['ci', '--no-audit', '--no-fund']);
  }
  // Where npm does not run install scripts of packages, `node` has not fetched its binary yet.
  if (!existsSync(projectNode())) {
    await run(process.execPath, ['installArchSpecificPackage.js'], path.join(root, 'node_modules', 'node'));
  }
}

// By content, not by time: a checkout touches the lock file without changing what it asks for.
function dependenciesMatchLock() {
  const installedFile = path.join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(installedFile)) return false;
  const wanted = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')).packages;
  const installed = JSON.parse(readFileSync(installedFile, 'utf8')).packages;
  return Object.entries(wanted).every(([place, entry]) => {
    if (place === '') return true;
    const there = installed[place];
    return there === undefined ? entry.optional === true : there.version === entry.version;
  });
}

function projectNode() {
  const folder = path.join(root, 'node_modules', 'node', 'bin');
  return path.join(folder, process.platform === 'win32' ? 'node.exe' : 'node');
}

function projectEnvironment() {
  const key = Object.keys(process.env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH';
  const folders = [path.dirname(projectNode()), binFolder, process.env[key] ?? ''];
  return { ...process.env, [key]: folders.join(path.delimiter) };
}

async function npm(args) {
  const cli = process.env['npm_execpath'];
  if (cli?.endsWith('.js') === true) await run(process.execPath, [cli, ...args], root);
  else await run('npm', args, root, process.platform === 'win32');
}

async function run(command, args, cwd, shell = false) {
  const child = spawn(command, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'], shell });
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  });
  if (code !== 0) throw new Error(`"${[path.basename(command), ...args].join(' ')}" ended with ${code}.`);
}
