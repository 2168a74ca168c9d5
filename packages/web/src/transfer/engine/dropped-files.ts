// Reads what was dropped from the desktop or chosen with a file field: files with their place, and folders, empty ones
// too.

/** What a person handed to the page. */
export interface UploadSelection {
  /** Files with the folders above them, slash-separated, empty at the top. */
  readonly files: readonly { readonly file: File; readonly folder: string }[]
  /** Every folder by its path, empty ones too. */
  readonly folders: readonly string[]
  /** By which the browser finds them again, where it does. */
  readonly handles?: readonly FileSystemHandle[]
}

/** Files of a field; with `webkitdirectory` each carries its path. */
export function chosenFiles(list: FileList): UploadSelection {
  const folders = new Set<string>()
  const files = Array.from(list, (file) => {
    const parts = file.webkitRelativePath.split('/').slice(0, -1)
    parts.forEach((_, i) => {
      folders.add(parts.slice(0, i + 1).join('/'))
    })
    return { file, folder: parts.join('/') }
  })
  return { files, folders: [...folders] }
}

/** Whether a drag comes from outside the page with files. */
export function carriesFiles(data: DataTransfer | null): boolean {
  return data?.types.includes('Files') ?? false
}

/**
 * Files and folders of a drop. The entries must be taken before the event handler returns, so this is called in it and
 * only then awaited.
 */
export function droppedFiles(data: DataTransfer): Promise<UploadSelection> {
  const entries = Array.from(data.items, (item) => (item.kind === 'file' ? item.webkitGetAsEntry() : null))
  const known = entries.filter((entry) => entry !== null)
  // Pasted and scripted data has files without entries.
  if (known.length === 0) return Promise.resolve(chosenFiles(data.files))
  const handles = Promise.all(Array.from(data.items, handleOf))
  return readEntry(known).then(async (handed) => ({
    ...handed,
    handles: (await handles).filter((one) => one !== null),
  }))
}

/** Some browsers, on secure pages, give what outlives the page. */
async function handleOf(item: DataTransferItem & { getAsFileSystemHandle?(): Promise<FileSystemHandle | null> }) {
  try {
    return item.kind === 'file' ? ((await item.getAsFileSystemHandle?.()) ?? null) : null
  } catch {
    return null
  }
}

async function readEntry(roots: readonly FileSystemEntry[]): Promise<UploadSelection> {
  const files: { file: File; folder: string }[] = []
  const folders: string[] = []
  const open: { entry: FileSystemEntry; folder: string }[] = roots.map((entry) => ({ entry, folder: '' }))
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { entry, folder } = next
    if (entry.isFile) {
      files.push({ file: await fileOf(entry as FileSystemFileEntry), folder })
    } else {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      folders.push(path)
      for (const child of await childrenOf(entry as FileSystemDirectoryEntry)) open.push({ entry: child, folder: path })
    }
  }
  return { files, folders }
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject))
}

/** A reader gives at most 100 entries at a time and says it is done with an empty list. */
async function childrenOf(entry: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = entry.createReader()
  const children: FileSystemEntry[] = []
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (some.length === 0) return children
    children.push(...some)
  }
}
