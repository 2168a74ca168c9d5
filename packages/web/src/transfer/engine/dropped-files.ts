// Reads the files and folders of a drop or of a file input, with their paths and including empty folders.

/** The files and folders that the user provided. */
export interface UploadSelection {
  /** Files with their folder path, separated by slashes, empty at the top level. */
  readonly files: readonly { readonly file: File; readonly folder: string }[]
  /** Every folder by its path, including empty ones. */
  readonly folders: readonly string[]
  /** Handles by which the browser can read the files again, where it supports them. */
  readonly handles?: readonly FileSystemHandle[]
}

/** Returns the files of a file input. With `webkitdirectory`, each file has a path. */
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

/** Whether a drag comes from outside the page and contains files. */
export function carriesFiles(data: DataTransfer | null): boolean {
  return data?.types.includes('Files') ?? false
}

/**
 * Returns the files and folders of a drop. Must be called inside the event handler and awaited later, because the
 * entries are only valid until the handler returns.
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

/** Returns a handle that outlives the page. Only some browsers support this, on secure pages. */
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

/** A reader returns at most 100 entries at a time and ends with an empty list. */
async function childrenOf(entry: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = entry.createReader()
  const children: FileSystemEntry[] = []
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (some.length === 0) return children
    children.push(...some)
  }
}
