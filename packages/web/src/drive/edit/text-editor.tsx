// The editor of texts: its bar, what stands in the way above the text, the text, and how it stands below.
import type { ItemRecord } from '@cloudoc/contract'
import { EditState, extNameOf, readText, splitLines, usualEnd, writeText } from '@cloudoc/domain'
import {
  ArrowRedo20Regular,
  ArrowUndo20Regular,
  Dismiss20Regular,
  Print20Regular,
  Save20Regular,
  Search20Regular,
  ZoomIn20Regular,
  ZoomOut20Regular,
} from '@fluentui/react-icons'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { api } from '../../core/call/api.ts'
import { t as say, useT } from '../../core/i18n/i18n.ts'
import { isolated } from '../../core/i18n/isolate.ts'
import { sessionStore } from '../../core/session/session.ts'
import { accountRecords } from '../../core/storage/account-records.ts'
import { type Draft, draftsOf } from '../../core/storage/drafts.ts'
import { messageBox } from '../../core/windows/boxes.ts'
import { openWindow, type WindowProps } from '../../core/windows/index.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import { evaluate, rules } from '../actions/actions.ts'
import { tell } from '../actions/operations.ts'
import { useActionContext } from '../actions/use-action-context.ts'
import { FileIcon } from '../item/file-icon.tsx'
import { type Editing, startEditing } from './editing.ts'
import { editorOpened, takeFile } from './open-editors.ts'
import { printText } from './print-text.ts'
import { saveCopy } from './save-copy.ts'
import { openSurface, type Surface } from './surface.ts'
import { type Asked, answerAsked } from './turns.ts'
import { contentOf, submit } from './wire.ts'
import './edit.css'

export interface TextEditorProps {
  /** `version` is what is edited. */
  readonly item: Pick<ItemRecord, 'fId' | 'fName' | 'version' | 'parentFolderId' | 'parentFolderName' | 'rights'> &
    ItemRecord
  /** Why it can only be read; empty where the lock is held. */
  readonly readOnly: string
}

/** What stands under the pen. */
interface Opened {
  readonly surface: Surface
  readonly editing: Editing | undefined
  readonly about: { readonly encoding: string; readonly end: string }
}

const zooms = [50, 75, 90, 100, 110, 125, 150, 200, 300] as const
const clock = (ms: number): string => new Date(ms).toLocaleTimeString('zh-CN', { hour12: false })

/** The editor. */
export function TextEditor({ item, readOnly, close, setDirty }: WindowProps<TextEditorProps>): ReactNode {
  const t = useT()
  const context = useActionContext()
  const place = useRef<HTMLDivElement>(null)
  const [opened, setOpened] = useState<Opened>()
  const [draft, setDraft] = useState<Draft>()
  const [notice, setNotice] = useState(readOnly)
  const [failure, setFailure] = useState('')
  const [asked, setAsked] = useState<Asked>()
  const [at, setAt] = useState({ line: 1, column: 1 })
  const [zoom, setZoom] = useState(100)
  const leaving = useRef(false)
  // A window is opened on one file and stays on it.
  const [given] = useState({ item, readOnly, setDirty })
  const ext = extNameOf(item.fName)
  const canPrint = evaluate(rules.print, [item], context).enabled

  useEffect(() => {
    let isGone = false
    let end: (() => void) | undefined
    open(given.item, given.readOnly, place, {
      onMove: (line, column) => setAt({ line, column }),
      onDirty: given.setDirty,
      onAsked: setAsked,
    })
      .then((result) => {
        if (isGone) return result.close()
        end = result.close
        setOpened(result)
        setDraft(result.draft)
        if (result.why !== '') setNotice(result.why)
      })
      .catch((error: unknown) => setFailure(error instanceof Error ? error.message : String(error)))
    return () => {
      isGone = true
      end?.()
    }
  }, [given])

  const editing = opened?.editing
  const leave = async (): Promise<void> => {
    if (leaving.current) return
    leaving.current = true
    const done = await mayLeave(item, editing)
    leaving.current = false
    if (done) close()
  }
  const zoomBy = (step: 1 | -1): void => {
    const i = zooms.findIndex((one) => one >= zoom)
    setZoom(zooms[Math.min(zooms.length - 1, Math.max(0, i + step))] ?? 100)
    requestAnimationFrame(() => opened?.surface.measure())
  }
  const print = (): void => {
    if (canPrint && opened !== undefined) printText(item.fName, opened.surface.text())
    else tell(t('drive.preview.noPrint'))
  }
  /** What was typed becomes a version first; where it cannot, the file is not left ([R179]). */
  const handOver = async (by: Asked): Promise<void> => {
    if (editing === undefined) return
    while (editing.isDirty()) if (!(await editing.save())) return
    setAsked(undefined)
    if (!(await answerAsked(by, true))) return
    editing.handedOver()
    close()
  }
  const keep = (by: Asked): void => {
    setAsked(undefined)
    void answerAsked(by, false)
  }
  const answerDraft = async (restore: boolean): Promise<void> => {
    if (draft === undefined || editing === undefined || opened === undefined) return
    setDraft(undefined)
    opened.surface.setReadOnly(false)
    if (restore) {
      editing.restore(draft.version)
      opened.surface.replace(draft.text)
    } else await draftsOf(context.userId).drop(item.fId)
    opened.surface.focus()
  }
  const onKeyDown = (event: React.KeyboardEvent): void => {
    const key = event.key.toLowerCase()
    const withControl = event.ctrlKey || event.metaKey
    // Esc closes what is found, never the text.
    if (event.key === 'Escape') event.stopPropagation()
    else if (withControl && key === 's') void editing?.save()
    else if (withControl && key === 'p') print()
    else if (withControl && (key === '=' || key === '+')) zoomBy(1)
    else if (withControl && key === '-') zoomBy(-1)
    else if (withControl && key === '0') setZoom(100)
    else return
    if (event.key !== 'Escape') event.preventDefault()
  }

  return (
    <div className="ed" onKeyDown={onKeyDown}>
      <header className="ed-head">
        <FileIcon ext={ext} />
        <b title={item.fName}>{item.fName}</b>
        {editing === undefined ? (
          opened !== undefined && <span className="ed-state">{t('editor.readOnly')}</span>
        ) : (
          <State editing={editing} />
        )}
        <span className="ed-tools">
          <IconButton
            label={t('editor.undo')}
            hint="Ctrl+Z"
            icon={<ArrowUndo20Regular />}
            disabled={editing === undefined}
            onClick={() => opened?.surface.undo()}
          />
          <IconButton
            label={t('editor.redo')}
            hint="Ctrl+Y"
            icon={<ArrowRedo20Regular />}
            disabled={editing === undefined}
            onClick={() => opened?.surface.redo()}
          />
          <IconButton
            label={t('editor.find')}
            hint="Ctrl+F"
            icon={<Search20Regular />}
            disabled={opened === undefined}
            onClick={() => opened?.surface.find()}
          />
          {canPrint && <IconButton label={t('drive.print')} hint="Ctrl+P" icon={<Print20Regular />} onClick={print} />}
          {editing !== undefined && (
            <Button kind="primary" icon={<Save20Regular />} onClick={() => void editing.save()}>
              {t('editor.save')}
            </Button>
          )}
          <IconButton label={t('drive.close')} icon={<Dismiss20Regular />} onClick={() => void leave()} />
        </span>
      </header>
      {notice !== '' && (
        <p className="ed-notice" role="status">
          {notice}
        </p>
      )}
      {editing !== undefined && <Warnings editing={editing} />}
      {asked !== undefined && (
        <div className="ed-notice is-draft" role="alert">
          <span>{t('turn.wanted', { who: isolated(asked.userName) })}</span>
          <Button size="small" onClick={() => keep(asked)}>
            {t('turn.refuse')}
          </Button>
          <Button size="small" kind="primary" disabled={draft !== undefined} onClick={() => void handOver(asked)}>
            {t('turn.saveAndLeave')}
          </Button>
        </div>
      )}
      {draft !== undefined && (
        <div className="ed-notice is-draft" role="status">
          <span>{t('editor.draft', { time: clock(draft.changedAt) })}</span>
          <Button size="small" onClick={() => void answerDraft(false)}>
            {t('editor.draft.discard')}
          </Button>
          <Button size="small" kind="primary" onClick={() => void answerDraft(true)}>
            {t('editor.draft.restore')}
          </Button>
        </div>
      )}
      {failure !== '' && <p className="ed-notice is-danger">{failure}</p>}
      {opened === undefined && failure === '' && <Spinner />}
      <div className="ed-text" ref={place} style={{ fontSize: `${(14 * zoom) / 100}px` }} />
      <footer className="ed-foot">
        <span>{t('editor.at', at)}</span>
        <span>{opened?.about.encoding}</span>
        <span>{opened?.about.end}</span>
        <span className="ed-zoom">
          <IconButton
            size="small"
            label={t('drive.preview.zoomOut')}
            icon={<ZoomOut20Regular />}
            onClick={() => zoomBy(-1)}
          />
          {zoom}%
          <IconButton
            size="small"
            label={t('drive.preview.zoomIn')}
            icon={<ZoomIn20Regular />}
            onClick={() => zoomBy(1)}
          />
        </span>
      </footer>
    </div>
  )
}

interface Told {
  readonly onMove: (line: number, column: number) => void
  readonly onDirty: (dirty: boolean) => void
  readonly onAsked: (by: Asked) => void
}

/** Reads the file, puts it on a surface, and begins to edit it where nothing stands in the way. */
async function open(item: ItemRecord, readOnly: string, place: React.RefObject<HTMLDivElement | null>, told: Told) {
  const accountId = sessionStore.getState().session?.account.userId ?? 0
  const drafts = draftsOf(accountId)
  const [bytes, kept] = await Promise.all([contentOf(item.fId, item.version), drafts.of(item.fId)])
  const file = readText(bytes)
  const leave = readOnly === '' && file.isFaithful ? await takeFile(accountId, item.fId) : undefined
  const parent = place.current
  if (parent === null) leave?.()
  if (parent === null) throw new Error('the window has gone')
  const begun: { editing?: Editing } = {}
  const surface = openSurface({
    parent,
    text: file.text,
    ext: extNameOf(item.fName),
    label: item.fName,
    onMove: told.onMove,
    onChange: () => {
      begun.editing?.changed()
      told.onDirty(true)
    },
  })
  const about = { encoding: `${file.encoding.toUpperCase()}${file.hasMark ? ' BOM' : ''}`, end: endOf(file.text) }
  const unlock = (): void => void api.fileEditUnlock({ fileId: item.fId }, { quiet: true }).catch(() => undefined)
  if (leave === undefined) {
    // A text that could not be written back as it is would be another one after the first word ([R185]).
    if (readOnly === '' && !file.isFaithful) unlock()
    return {
      surface,
      editing: undefined,
      about,
      draft: undefined,
      why: readOnly || say(file.isFaithful ? 'editor.readOnly.otherTab' : 'editor.readOnly.notFaithful'),
      close: surface.close,
    }
  }
  const { fId: fileId, fName: fileName } = item
  const records = accountRecords(accountId)
  const localPath = `draft:${fileId}`
  const createTime = Date.now()
  const record = (state: number, version: number, closed = false): void =>
    void records.keepEdit({
      fileId,
      fileName,
      folderId: item.parentFolderId,
      folderName: item.parentFolderName,
      localPath,
      version,
      state,
      closed,
      createTime,
    })
  const started = startEditing(item.version, {
    content: () => {
      const text = surface.text()
      return { text, bytes: writeText(text, file) }
    },
    submit: (version, made) => submit(fileId, version, made),
    lock: () => api.fileEditLock({ fileId }, { quiet: true }),
    keepDraft: (text, version) => drafts.keep({ fileId, fileName, version, text, changedAt: Date.now() }),
    dropDraft: () => drafts.drop(fileId),
    noteAutomatic: (version) =>
      api.updateVersionComment({ fileId, version, comment: say('editor.automatic') }, { quiet: true }),
    record,
    askConflict: async (base) => {
      const newest = await api.getFileInfo({ fileId }, { quiet: true })
      const answer = await openWindow('cloudoc-edit-conflict', { newest, base })
      return answer === 'overwrite' ? { overwrite: newest.version } : answer === 'saveAs' ? 'saveAs' : undefined
    },
    askLockLost: (reason) => openWindow('cloudoc-edit-lock-lost', { name: fileName, reason }),
    saveAs: (made) => saveCopy(fileName, made),
    now: () => Date.now(),
  })
  begun.editing = started
  record(EditState.opened, item.version)
  const closed = editorOpened(fileId, { ...started, asked: told.onAsked })
  const unsubscribe = started.store.subscribe(() => told.onDirty(started.isDirty()))
  const draft = kept !== undefined && kept.text !== file.text ? kept : undefined
  if (draft === undefined && kept !== undefined) await drafts.drop(fileId)
  surface.setReadOnly(draft !== undefined)
  if (draft === undefined) surface.focus()
  const keepNow = (): void => void started.keepNow()
  window.addEventListener('pagehide', keepNow)
  document.addEventListener('visibilitychange', keepNow)
  return {
    surface,
    editing: started,
    about,
    draft,
    why: '',
    close(): void {
      window.removeEventListener('pagehide', keepNow)
      document.removeEventListener('visibilitychange', keepNow)
      unsubscribe()
      const { version } = started.store.getState()
      const isLeft = started.isDirty() && !started.isGivenUp()
      if (started.isGivenUp() || (started.isHandedOver() && !isLeft)) void records.deleteEdit(localPath)
      else record(isLeft || draft !== undefined ? EditState.changed : EditState.submitted, version, true)
      started.end()
      surface.close()
      closed()
      leave()
      if (started.hasLock()) unlock()
    },
  }
}

function endOf(text: string): string {
  return { '\n': 'LF', '\r\n': 'CRLF', '\r': 'CR' }[usualEnd(splitLines(text).ends)] ?? 'LF'
}

/** Asks about what is not handed in; true when the window may go. */
async function mayLeave(item: ItemRecord, editing: Editing | undefined): Promise<boolean> {
  if (editing?.isDirty() !== true) return true
  const { button } = await messageBox({
    text: say('editor.leave', { name: item.fName }),
    icon: 'question',
    buttons: [
      { id: 'cancel', text: say('drive.cancel') },
      { id: 'discard', text: say('editor.leave.discard'), kind: 'danger' },
      { id: 'save', text: say('editor.save'), kind: 'primary' },
    ],
  })
  if (button === 'discard') await editing.giveUp()
  else if (button === 'save') while (editing.isDirty()) if (!(await editing.save())) return false
  return button === 'discard' || button === 'save'
}

function State({ editing }: { readonly editing: Editing }): ReactNode {
  const t = useT()
  const { status, savedAt, version } = useStore(editing.store)
  const words =
    status === 'saved' ? t('editor.state.saved', { time: clock(savedAt), n: version }) : t(`editor.state.${status}`)
  return (
    <span className={`ed-state is-${status}`} role="status">
      {words}
    </span>
  )
}

function Warnings({ editing }: { readonly editing: Editing }): ReactNode {
  const t = useT()
  const { status, message, isLockLost, keepsNothing } = useStore(editing.store)
  return (
    <>
      {isLockLost && <p className="ed-notice is-warning">{t('editor.lockLost', { why: message })}</p>}
      {!isLockLost && status === 'failed' && (
        <p className="ed-notice is-warning">{t('editor.notSaved', { why: message })}</p>
      )}
      {keepsNothing && <p className="ed-notice is-warning">{t('editor.keepsNothing')}</p>}
    </>
  )
}
