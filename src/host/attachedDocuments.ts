// Shows in the editor what went along with a message: the file that was mentioned, the text that was attached, an image.
import { mkdir, writeFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import * as vscode from 'vscode';
import type { Attachment } from '../core/attachments.ts';
import { unreachable } from '../core/errors.ts';
import type { FolderIdentity } from '../core/events.ts';
import type { MessageImage } from '../core/images.ts';

const scheme = 'ratchet-attached';
/** Texts that were opened in this window, oldest first. */
const keptTexts = 20;

export class AttachedDocuments implements vscode.Disposable {
  readonly #texts = new Map<string, string>();
  #opened = 0;
  readonly #registration: vscode.Disposable;

  constructor() {
    this.#registration = vscode.workspace.registerTextDocumentContentProvider(scheme, {
      provideTextDocumentContent: (uri) =>
        this.#texts.get(uri.toString()) ?? 'This was opened before the window was loaded. Open it from the chat again.',
    });
  }

  dispose(): void {
    this.#registration.dispose();
    this.#texts.clear();
  }

  /** The file at its lines; for what is no file, the text that was attached. */
  async open(folder: FolderIdentity, attachment: Attachment): Promise<void> {
    const { kind, path, line, label } = attachment;
    switch (kind) {
      case 'file':
      case 'selection': {
        if (path === undefined) return this.#openText(label, attachment.text);
        const at = new vscode.Position((line ?? 1) - 1, 0);
        const uri = vscode.Uri.file(isAbsolute(path) ? path : join(folder.path, path));
        // As the editor opens it: an image as an image.
        await vscode.commands.executeCommand('vscode.open', uri, {
          preview: true,
          ...(line !== undefined && { selection: new vscode.Range(at, at) }),
        });
        return;
      }
      case 'folder':
        await vscode.commands.executeCommand('revealInExplorer', vscode.Uri.file(join(folder.path, path ?? '')));
        return;
      case 'problems':
      case 'terminal':
        return this.#openText(label, attachment.text);
      default:
        unreachable(kind);
    }
  }

  async #openText(label: string, text: string): Promise<void> {
    this.#opened += 1;
    const uri = vscode.Uri.from({ scheme, path: `/${label.replaceAll('/', '-')}.txt`, query: String(this.#opened) });
    this.#texts.set(uri.toString(), text);
    const [oldest] = this.#texts.keys();
    if (this.#texts.size > keptTexts && oldest !== undefined) this.#texts.delete(oldest);
    await vscode.window.showTextDocument(uri, { preview: true });
  }
}

/** An image is a file for the editor: one is made beside the trace, which anybody may delete again. */
export async function openMessageImage(storage: string, name: string, image: MessageImage): Promise<void> {
  const folder = join(storage, 'images');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, `${name.replace(/[^\w-]/g, '_')}.${image.mediaType.replace('image/', '')}`);
  await writeFile(file, Buffer.from(image.data, 'base64'), { mode: 0o600 });
  await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(file), { preview: true });
}
