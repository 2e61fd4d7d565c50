// How a model of the editor is named in settings, choices and records: `vscode:vendor/family/id`. Pure.

const scheme = 'vscode:';

export interface EditorModelName {
  readonly vendor: string;
  readonly family: string;
  readonly id: string;
}

/** Whether a model is one of the editor's own, by its name. */
export function isEditorModel(model: string): boolean {
  return model.startsWith(scheme);
}

/** The vendor of a model of the editor, as far as its name says it. */
export function editorVendor(model: string): string | undefined {
  return parseEditorModelId(model)?.vendor;
}

/** The name as one word: what would not fit (a slash in a family, white space) is percent-encoded. */
export function editorModelId({ vendor, family, id }: EditorModelName): string {
  return `${scheme}${escaped(vendor, /[%/\s]/g)}/${escaped(family, /[%/\s]/g)}/${escaped(id, /[%\s]/g)}`;
}

/** Undefined for anything that is not of this form. */
export function parseEditorModelId(model: string): EditorModelName | undefined {
  const match = /^vscode:([^/\s]+)\/([^/\s]+)\/(\S+)$/.exec(model);
  if (!match) return undefined;
  const [vendor, family, id] = match.slice(1).map(unescaped);
  return vendor === undefined || family === undefined || id === undefined ? undefined : { vendor, family, id };
}

function escaped(text: string, which: RegExp): string {
  return text.toWellFormed().replace(which, (char) => encodeURIComponent(char));
}

function unescaped(text: string): string {
  // Whoever typed a bare per cent sign meant it.
  return text.replace(/(?:%[0-9A-Fa-f]{2})+/g, (codes) => {
    try {
      return decodeURIComponent(codes);
    } catch (error) {
      if (error instanceof URIError) return codes;
      throw error;
    }
  });
}
