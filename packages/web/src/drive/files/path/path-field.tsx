// The path as text: folder names with slashes, an address of this product, or an item id. Enter goes there.
import { parseItemIdStr } from '@cloudoc/domain'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { api, type OnServer } from '../../../core/call/api.ts'
import { useT } from '../../../core/i18n/i18n.ts'
import type { FolderRef } from '../../../items/item/item.ts'
import { isCommitEnter, isComposing } from '../../../kit/keys.ts'

interface PathFieldProps {
  readonly path: string
  /** The server that names of folders belong to. */
  readonly on: OnServer
  readonly onGo: (folder: FolderRef) => void
  readonly onEnd: () => void
}

/** The input field for the path of a folder. */
export function PathField({ path, on, onGo, onEnd }: PathFieldProps): ReactNode {
  const t = useT()
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState(path)
  const [problem, setProblem] = useState<string>()
  useEffect(() => {
    input.current?.focus()
    input.current?.select()
  }, [])

  const go = async (): Promise<void> => {
    try {
      const folder = await folderAt(text, on)
      if (folder === undefined) setProblem(t('drive.path.none'))
      else onGo(folder)
    } catch {
      setProblem(t('drive.state.unreachable'))
    }
  }
  return (
    <div className="dr-path is-field">
      <input
        ref={input}
        value={text}
        aria-label={t('drive.path')}
        aria-invalid={problem !== undefined}
        aria-describedby={problem === undefined ? undefined : id}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => {
          setText(event.target.value)
          setProblem(undefined)
        }}
        onBlur={onEnd}
        onKeyDown={(event) => {
          event.stopPropagation()
          if (event.key === 'Escape' && !isComposing(event)) onEnd()
          if (isCommitEnter(event)) void go()
        }}
      />
      {problem !== undefined && (
        <p id={id} className="dr-name-problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  )
}

/** Returns the folder that a text names, if the user may see it. */
async function folderAt(text: string, { serverId }: OnServer): Promise<FolderRef | undefined> {
  const address = /itemIdStr=([^&\s]+)/.exec(text)?.[1] ?? text.trim()
  const written = parseItemIdStr(address)
  if (written !== undefined) return written.fType === 2 ? { serverId: written.serverId, fId: written.fId } : undefined
  const names = text
    .split(/[/\\›]/)
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '')
  const [library, ...rest] = names
  const { list } = await api.of({ serverId }).getRootFolderSetting({}, { quiet: true })
  let folderId = list.find(({ fName }) => fName.toLowerCase() === library)?.fId
  for (const name of rest) {
    if (folderId === undefined) return undefined
    const page = await api
      .of({ serverId })
      .getSubItemList3({ folderId, keyword: name, foldersOnly: true, rows: 1000 }, { quiet: true })
    folderId = page.list.find(({ fName }) => fName.toLowerCase() === name)?.fId
  }
  return folderId === undefined ? undefined : { serverId, fId: folderId }
}
