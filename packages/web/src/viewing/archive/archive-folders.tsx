// The folder tree of an archive, with the total number of files in each folder.
import type { ListedEntry } from '@cloudoc/contract'
import { type ReactNode, useMemo, useState } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { ChevronRight16Regular, Folder20Filled } from '../../kit/icons.ts'

interface ArchiveFolder {
  readonly name: string
  /** Ends with a slash; empty for the root. */
  readonly path: string
  readonly inside: Map<string, ArchiveFolder>
  /** The number of files in it, recursively. */
  files: number
}

/** Builds the folder tree of the entries. */
export function foldersOf(entries: readonly ListedEntry[], name: string): ArchiveFolder {
  const root: ArchiveFolder = { name, path: '', inside: new Map(), files: 0 }
  for (const { path } of entries) {
    const steps = path.split('/')
    const isFile = steps.pop() !== ''
    let at = root
    if (isFile) at.files += 1
    for (const step of steps) {
      const below = at.inside.get(step) ?? { name: step, path: `${at.path}${step}/`, inside: new Map(), files: 0 }
      at.inside.set(step, below)
      at = below
      if (isFile) at.files += 1
    }
  }
  return root
}

interface ArchiveFoldersProps {
  readonly root: ArchiveFolder
  readonly current: string
  readonly onGo: (path: string) => void
}

/** Renders the tree; the path to the current folder is expanded. */
export function ArchiveFolders({ root, current, onGo }: ArchiveFoldersProps): ReactNode {
  const t = useT()
  const [turned, setTurned] = useState<ReadonlyMap<string, boolean>>(new Map())
  return (
    <nav className="rd-folders" aria-label={t('drive.preview.folders')}>
      <ul>
        <FolderLine
          folder={root}
          depth={0}
          current={current}
          isOpen={(path) => turned.get(path) ?? current.startsWith(path)}
          onTurn={(path, open) => setTurned(new Map([...turned, [path, open]]))}
          onGo={onGo}
        />
      </ul>
      <p>{t('drive.preview.inside', { n: root.files, folders: countOf(root) })}</p>
    </nav>
  )
}

const countOf = ({ inside }: ArchiveFolder): number =>
  [...inside.values()].reduce((sum, folder) => sum + 1 + countOf(folder), 0)

interface FolderLineProps {
  readonly folder: ArchiveFolder
  readonly depth: number
  readonly current: string
  readonly isOpen: (path: string) => boolean
  readonly onTurn: (path: string, open: boolean) => void
  readonly onGo: (path: string) => void
}

function FolderLine({ folder, depth, ...tree }: FolderLineProps): ReactNode {
  const t = useT()
  const { name, path, inside, files } = folder
  const open = tree.isOpen(path)
  const below = useMemo(() => [...inside.values()].sort((a, b) => a.name.localeCompare(b.name, 'zh')), [inside])
  return (
    <li>
      <span className="rd-folder-line" style={{ paddingInlineStart: 8 + depth * 16 }}>
        {inside.size > 0 ? (
          <button
            type="button"
            className="rd-folder-twist"
            aria-expanded={open}
            aria-label={t('drive.preview.unfold', { name })}
            onClick={() => tree.onTurn(path, !open)}
          >
            <ChevronRight16Regular />
          </button>
        ) : (
          <i className="rd-folder-twist" />
        )}
        <button
          type="button"
          className="rd-folder-name"
          title={name}
          aria-current={path === tree.current ? 'true' : undefined}
          onClick={() => tree.onGo(path)}
        >
          <Folder20Filled className="rd-folder" />
          <span>{name}</span>
          <small>{files}</small>
        </button>
      </span>
      {open && below.length > 0 && (
        <ul>
          {below.map((one) => (
            <FolderLine key={one.path} folder={one} depth={depth + 1} {...tree} />
          ))}
        </ul>
      )}
    </li>
  )
}
