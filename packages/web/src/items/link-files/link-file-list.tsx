/*
 * The list of the items that a link file (.dmcd, [R131]) or an encrypted download (.cld, [R132]) names ([R068]). The server is asked for each of them, so that
 * everybody sees what their own rights show. Items can be opened, sent into a conversation or copied into a folder.
 */
import type { ItemRecord } from '@cloudoc/contract'
import type { CloudLinkItem } from '@cloudoc/domain'
import { type ReactNode, useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { api, CallError } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { openWindow, type WindowProps } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { DialogBody, DialogFooter } from '../../kit/dialog.tsx'
import { Checkbox } from '../../kit/fields.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import { previewFile } from '../actions/preview-file.ts'
import { useActionContext } from '../actions/use-action-context.ts'
import { EllipsizedName } from '../item/ellipsized-name.tsx'
import { FileIcon, FolderIcon } from '../item/file-icon.tsx'
import { extOf, folderPath, isFolder, itemIdStr } from '../item/item.ts'
import { isDownloadEncrypted } from './encrypted.ts'
import '../item/dialogs.css'
import './link-file-list.css'

export interface LinkFileListProps {
  readonly items: readonly CloudLinkItem[]
  /** What is done with the items that the user chooses. */
  readonly use: 'open' | 'send' | 'copy' | 'encrypted'
  /** The name of the conversation or folder. */
  readonly target?: string
  /** The version of the only file in an encrypted download; 0: the newest. */
  readonly version?: number
}

/** An item of the list: its record, or why there is none. */
type Line = { readonly named: CloudLinkItem } & ({ readonly item: ItemRecord } | { readonly failure: string })

/** Requests at a time. */
const lanes = 6

/** Lists the items of a link file. Returns the chosen ones. */
export function LinkFileList({
  items,
  use,
  target = '',
  version = 0,
  close,
}: WindowProps<LinkFileListProps, ItemRecord[]>): ReactNode {
  const t = useT()
  const lines = useLines(items)
  const [left, setLeft] = useState<ReadonlySet<CloudLinkItem>>(new Set())
  if (items.length === 0) return <StatePage title={t('linkFile.none')} text={t('linkFile.none.more')} />
  if (lines === undefined) return <Spinner />
  const there = lines.flatMap((line) => ('item' in line && !left.has(line.named) ? [line.item] : []))
  const isReading = use === 'open' || use === 'encrypted'
  const canSave = use === 'encrypted' && there.length === lines.length && !isDownloadEncrypted(there)
  const missing = lines.filter((line) => 'failure' in line).length
  const leave = (one: CloudLinkItem, isLeft: boolean): void => {
    const next = new Set(left)
    if (isLeft) next.add(one)
    else next.delete(one)
    setLeft(next)
  }
  return (
    <>
      <DialogBody>
        <div className="li-body">
          <p className="dr-dialog-lead">{t(`linkFile.lead.${use}`, { n: lines.length, target })}</p>
          <ul className="dr-dialog-list li-list" tabIndex={0} aria-label={t('linkFile.list')}>
            {lines.map((line) => (
              <LinkedLine
                key={itemIdStr(line.named)}
                line={line}
                checked={isReading ? undefined : !left.has(line.named)}
                version={version}
                onCheck={(checked) => leave(line.named, !checked)}
                onLeave={() => close()}
              />
            ))}
          </ul>
          {missing > 0 && <p className="li-missing">{t('linkFile.missing', { n: missing })}</p>}
        </div>
      </DialogBody>
      <DialogFooter>
        <Button autoFocus={isReading} onClick={() => close()}>
          {t(isReading ? 'linkFile.close' : 'linkFile.cancel')}
        </Button>
        {canSave && <Button onClick={() => close(there)}>{t('linkFile.save')}</Button>}
        {!isReading && (
          <Button kind="primary" autoFocus disabled={there.length === 0} onClick={() => close(there)}>
            {t(`linkFile.${use}`, { n: there.length })}
          </Button>
        )}
      </DialogFooter>
    </>
  )
}

/** Asks the server for the items, some at a time. Undefined until all have been answered. */
function useLines(items: readonly CloudLinkItem[]): readonly Line[] | undefined {
  const t = useT()
  const [lines, setLines] = useState<readonly Line[]>()
  useEffect(() => {
    let isGone = false
    const found: Line[] = []
    const entries = items.entries()
    const lane = async (): Promise<void> => {
      for (const [at, named] of entries) {
        if (isGone) return
        found[at] = await lineOf(named, t('linkFile.gone'))
      }
    }
    void Promise.all(Array.from({ length: lanes }, lane)).then(() => {
      if (!isGone) setLines(found)
    })
    return () => {
      isGone = true
    }
  }, [items, t])
  return lines
}

async function lineOf(named: CloudLinkItem, gone: string): Promise<Line> {
  try {
    return { named, item: await api.of(named).getFileItemInfo({ itemIdStr: itemIdStr(named) }, { quiet: true }) }
  } catch (error) {
    if (!(error instanceof CallError)) throw error
    return { named, failure: error.code === 'notFound' ? gone : error.message }
  }
}

interface LinkedLineProps {
  readonly version: number
  readonly line: Line
  /** Undefined where nothing is chosen. */
  readonly checked: boolean | undefined
  readonly onCheck: (checked: boolean) => void
  readonly onLeave: () => void
}

function LinkedLine({ line, version, checked, onCheck, onLeave }: LinkedLineProps): ReactNode {
  const t = useT()
  const navigate = useNavigate()
  const context = useActionContext()
  const shown = 'item' in line ? line.item : line.named
  const open = (item: ItemRecord): void => {
    if (!isFolder(item)) {
      const isUseVersion = version > 0
      const file = { ...previewFile(item, context), ...(isUseVersion && { version }) }
      return void openWindow('previewer', { fileInfo: file, ...(isUseVersion && { isUseVersion }) })
    }
    onLeave()
    void navigate(folderPath(item))
  }
  const name = (
    <>
      {shown.fType === 2 ? <FolderIcon /> : <FileIcon ext={extOf(shown)} />}
      <EllipsizedName name={shown.fName} isFolder={shown.fType === 2} />
    </>
  )
  return (
    <li className="dr-item-line">
      {checked === undefined ? (
        name
      ) : (
        <Checkbox
          className="li-choice"
          label={name}
          checked={checked && 'item' in line}
          disabled={!('item' in line)}
          onChange={(event) => onCheck(event.target.checked)}
        />
      )}
      {'item' in line ? (
        <Button
          kind="link"
          size="small"
          className="li-open"
          aria-label={t('linkFile.openOf', { name: line.item.fName })}
          onClick={() => open(line.item)}
        >
          {t('linkFile.open')}
        </Button>
      ) : (
        <small title={line.failure} className="dr-danger">
          {line.failure}
        </small>
      )}
    </li>
  )
}
