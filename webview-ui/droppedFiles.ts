// What a drop or a paste carries: images as files, resources of the editor as addresses. Must never know what becomes of
// them.

/** The editor's own list comes first: the common one holds a single address. Types are lower case here. */
const listTypes = ['application/vnd.code.uri-list', 'text/uri-list'] as const;

/** Files that say they are images. Their bytes are looked at later. */
export function imageFiles(data: DataTransfer): readonly File[] {
  return [...data.files].filter(({ type }) => type.startsWith('image/'));
}

export function otherFiles(data: DataTransfer): readonly File[] {
  return [...data.files].filter(({ type }) => !type.startsWith('image/'));
}

/** Addresses of resources; none where real files are dropped, whose addresses a page does not learn. */
export function resourceUris(data: DataTransfer): readonly string[] {
  for (const type of listTypes) {
    const uris = data
      .getData(type)
      .split(/\r?\n/)
      .map((line) => line.trim())
      .filter((line) => line !== '' && !line.startsWith('#') && !/^https?:/i.test(line));
    if (uris.length > 0) return uris;
  }
  return [];
}

/** Whether a drag carries anything that the input takes; its contents cannot be read before it is dropped. */
export function carriesSomething(data: DataTransfer): boolean {
  return data.types.includes('Files') || listTypes.some((type) => data.types.includes(type));
}
