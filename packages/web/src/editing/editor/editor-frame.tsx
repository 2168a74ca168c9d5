/*
 * The common frame of all web editors: toolbar, notices above the document, status below; lock, drafts, uploading and
 * closing. Each editor provides the content as a `Paper`.
 */
import type { ItemRecord } from '@cloudoc/contract'
import { EditState, extNameOf } from '@cloudoc/domain'
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
import { notifyFailure } from '../../items/actions/operations.ts'
import { useActionContext } from '../../items/actions/use-action-context.ts'
import { FileIcon } from '../../items/item/file-icon.tsx'
import { Button, IconButton } from '../../kit/button.tsx'
import { Dismiss20Regular, Save20Regular } from '../../kit/icons.ts'
import { Spinner } from '../../kit/spinner.tsx'
import { askConflict } from '../conflict/ask-conflict.ts'
import { type ReadOnlyAction, requestLock, waitForLock } from '../locks/lock-requests.ts'
import {
  CommandButtons,
  type EditorCommands,
  useEditorTools,
  useWheelZoom,
  ZoomButtons,
} from '../shared/editor-tools.tsx'
import { claimFile, registerEditor } from '../shared/open-editors.ts'
import { saveCopy } from '../shared/save-copy.ts'
import { type EditSession, startEditSession } from './edit-session.ts'
import '../../viewing/shared/texts.ts'
import { answerLockRequest, dropLockRequests, type LockRequest, pendingLockRequest } from '../lock-queue/lock-queue.ts'
import { acquireLock, fetchContent, releaseLock, resumeTransfers, submit } from '../shared/edit-transfers.ts'
import '../shared/editor-frame.css'

export interface EditorProps {
  /** `version` is the edited version. */
  readonly item: Pick<
    ItemRecord,
    'serverId' | 'fId' | 'fName' | 'version' | 'parentFolderId' | 'parentFolderName' | 'rights'
  > &
    ItemRecord
  /** Why the file is read-only; empty if the user has the lock. */
  readonly readOnly: string
  /** What the user can do about it. */
  readonly readOnlyAction?: ReadOnlyAction
}

/** The content of an editor. It is read-only until `setReadOnly(false)`. */
export interface EditorInstance extends EditorCommands {
  /** The content as a draft. */
  readonly draft: () => string
  /** The content as a file to upload. */
  readonly bytes: () => Uint8Array
  /** Restores a draft; `base` is the content that it is based on, if that is not the opened one. */
  readonly restore: (draft: string, base: Uint8Array | undefined) => void
  readonly setReadOnly: (is: boolean) => void
  readonly focus: () => void
  readonly close: () => void
}

/** An opened document, why it is read-only (empty if it is editable), and a notice to show. */
export interface OpenedEditor<P extends EditorInstance> {
  readonly editor: P
  readonly readOnly?: string
  readonly notice?: string
  /** The content that is preserved but not editable, one line each. */
  readonly keeps?: readonly string[]
}

interface FrameProps<P extends EditorInstance> extends WindowProps<EditorProps> {
  /** Opens a content in the editor; an error says why it is not editable. */
  readonly open: (bytes: Uint8Array, place: HTMLElement, onChange: () => void) => OpenedEditor<P>
  /** Renders the document, if it does not render itself. */
  readonly renderBody?: (paper: P, zoom: number) => ReactNode
  readonly renderFoot: (paper: P) => ReactNode
}

/** The open document and its session. */
interface Opened<P extends EditorInstance> {
  readonly paper: P
  readonly editing: EditSession | undefined
  readonly draft: Draft | undefined
}

/** The number of minutes by which the user can put off a user who requests the file. */
const moreMinutes = 10
const clock = (ms: number): string => new Date(ms).toLocaleTimeString('zh-CN', { hour12: false })

export function EditorFrame<P extends EditorInstance>({
  item,
  readOnly,
  readOnlyAction,
  close,
  setDirty,
  open: openPaper,
  renderBody,
  renderFoot,
}: FrameProps<P>): ReactNode {
  const t = useT()
  const context = useActionContext()
  const place = useRef<HTMLDivElement>(null)
  const [opened, setOpened] = useState<Opened<P>>()
  const [draft, setDraft] = useState<Draft>()
  const [notice, setNotice] = useState(readOnly)
  const [keeps, setKeeps] = useState<readonly string[]>([])
  const [failure, setFailure] = useState('')
  const [asked, setAsked] = useState<LockRequest>()
  const leaving = useRef(false)
  const askedLater = useRef<ReturnType<typeof setTimeout>>(undefined)
  // A window stays on the file that it was opened with.
  const [given] = useState({ item, readOnly, setDirty, openPaper })
  const ext = extNameOf(item.fName)

  useEffect(() => {
    const gone = new AbortController()
    const { signal } = gone
    let end: (() => void) | undefined
    const told = { signal, onDirty: given.setDirty, onAsked: setAsked }
    open(given.item, given.readOnly, place, given.openPaper, told)
      .then((result) => {
        if (signal.aborted) return result.close()
        end = result.close
        setOpened(result)
        setDraft(result.draft)
        if (result.why !== '') setNotice(result.why)
        setKeeps(result.keeps)
      })
      .catch((error: unknown) => setFailure(error instanceof Error ? error.message : String(error)))
    return () => {
      gone.abort()
      clearTimeout(askedLater.current)
      end?.()
    }
  }, [given])

  // Focuses the document once it is rendered. If the user is asked about a draft, the answer comes first.
  useEffect(() => {
    if (opened?.editing !== undefined && opened.draft === undefined) opened.paper.focus()
  }, [opened])

  const editing = opened?.editing
  const leave = async (): Promise<void> => {
    if (leaving.current) return
    leaving.current = true
    const done = await mayLeave(item, editing)
    leaving.current = false
    if (done) close()
  }
  const tools = useEditorTools(item, opened?.paper, editing && (() => void editing.save()))
  const frame = useRef<HTMLDivElement>(null)
  useWheelZoom(frame, tools.zoomBy)
  /** Saves the changes as a version first. If that fails, the lock is not handed over ([R179]). */
  const handOver = async (by: LockRequest): Promise<void> => {
    if (editing === undefined) return
    while (editing.isDirty()) if (!(await editing.save())) return
    setAsked(undefined)
    if (!(await answerLockRequest(by, true))) return
    editing.handedOver()
    close()
  }
  const keep = (by: LockRequest, minutes: number): void => {
    setAsked(undefined)
    void answerLockRequest(by, false, minutes).then((told) => {
      if (!told || minutes === 0) return
      // Shows the request again later, unless the editor is closed.
      clearTimeout(askedLater.current)
      askedLater.current = setTimeout(() => setAsked(by), minutes * 60_000)
    })
  }
  const answerDraft = async (restore: boolean): Promise<void> => {
    if (draft === undefined || editing === undefined || opened === undefined) return
    const { paper } = opened
    if (restore) {
      try {
        const base =
          draft.version === item.version
            ? undefined
            : await fetchContent({ fileId: item.fId, fileName: item.fName }, draft.version)
        paper.restore(draft.text, base)
      } catch (error) {
        return notifyFailure(error)
      }
      editing.restore(draft.version)
      editing.changed()
    } else await draftsOf(context.userId).drop(item.fId)
    setDraft(undefined)
    paper.setReadOnly(false)
    // The button disappears, and the document gets the focus with the next render. Until then the frame has the focus.
    frame.current?.focus({ preventScroll: true })
    paper.focus()
  }
  return (
    <div className="ed" ref={frame} tabIndex={-1} onKeyDown={tools.onKeyDown}>
      <header className="ed-head">
        <FileIcon ext={ext} />
        <b title={item.fName}>{item.fName}</b>
        {editing === undefined ? (
          opened !== undefined && <span className="ed-state">{t('editor.readOnly')}</span>
        ) : (
          <State editing={editing} />
        )}
        <span className="ed-tools">
          <CommandButtons work={opened?.paper} tools={tools} isEditable={editing !== undefined} />
          {editing !== undefined && (
            <Button kind="primary" icon={<Save20Regular />} onClick={() => void editing.save()}>
              {t('editor.save')}
            </Button>
          )}
          <IconButton label={t('drive.close')} icon={<Dismiss20Regular />} onClick={() => void leave()} />
        </span>
      </header>
      {notice !== '' && (
        <Notice text={notice} keeps={keeps}>
          {readOnlyAction !== undefined && opened?.editing === undefined && (
            <Button size="small" onClick={() => void runReadOnlyAction(item, readOnlyAction)}>
              {t(`editor.wayOn.${readOnlyAction}`)}
            </Button>
          )}
        </Notice>
      )}
      {editing !== undefined && <Warnings editing={editing} />}
      {asked !== undefined && (
        <Wanted
          by={asked}
          mayLeave={draft === undefined}
          onKeep={(minutes) => keep(asked, minutes)}
          onLeave={() => void handOver(asked)}
        />
      )}
      {draft !== undefined && <DraftOffer draft={draft} onAnswer={(restore) => void answerDraft(restore)} />}
      {failure !== '' && <p className="ed-notice is-danger">{failure}</p>}
      {opened === undefined && failure === '' && <Spinner />}
      <div className="ed-text" ref={place} style={{ fontSize: `${(14 * tools.zoom) / 100}px` }}>
        {opened !== undefined && renderBody?.(opened.paper, tools.zoom)}
      </div>
      <footer className="ed-foot">
        {opened !== undefined && renderFoot(opened.paper)}
        <ZoomButtons {...tools} />
      </footer>
    </div>
  )
}

interface NoticeProps {
  readonly text: string
  /** The content that is preserved but not editable. */
  readonly keeps: readonly string[]
  readonly children: ReactNode
}

function Notice({ text, keeps, children }: NoticeProps): ReactNode {
  const t = useT()
  return (
    <p className="ed-notice" role="status">
      <span>{text}</span>
      {keeps.length > 0 && (
        <Button
          size="small"
          onClick={() => void messageBox({ text: t('editor.keeps.title'), detail: keeps.join('\n') })}
        >
          {t('editor.keeps.show')}
        </Button>
      )}
      {children}
    </p>
  )
}

interface WantedProps {
  readonly by: LockRequest
  readonly mayLeave: boolean
  /** Keeps the file, and puts the other user off for these minutes. */
  readonly onKeep: (minutes: number) => void
  readonly onLeave: () => void
}

/** Another user wants to edit the file. */
function Wanted({ by, mayLeave, onKeep, onLeave }: WantedProps): ReactNode {
  const t = useT()
  return (
    <div className="ed-notice is-draft" role="alert">
      <span>
        {t('turn.wanted', { who: isolated(by.userName) })}
        {by.message !== undefined && <q className="ed-quote">{by.message}</q>}
      </span>
      <Button size="small" onClick={() => onKeep(moreMinutes)}>
        {t('turn.later', { n: moreMinutes })}
      </Button>
      <Button size="small" onClick={() => onKeep(0)}>
        {t('turn.refuse')}
      </Button>
      <Button size="small" kind="primary" disabled={!mayLeave} onClick={onLeave}>
        {t('turn.saveAndLeave')}
      </Button>
    </div>
  )
}

interface DraftOfferProps {
  readonly draft: Draft
  readonly onAnswer: (restore: boolean) => void
}

function DraftOffer({ draft, onAnswer }: DraftOfferProps): ReactNode {
  const t = useT()
  return (
    <div className="ed-notice is-draft" role="status">
      <span>{t('editor.draft', { time: clock(draft.changedAt) })}</span>
      <Button size="small" onClick={() => onAnswer(false)}>
        {t('editor.draft.discard')}
      </Button>
      <Button size="small" kind="primary" onClick={() => onAnswer(true)}>
        {t('editor.draft.restore')}
      </Button>
    </div>
  )
}

interface OpenCallbacks {
  /** Aborted when the window is closed. */
  readonly signal: AbortSignal
  readonly onDirty: (dirty: boolean) => void
  readonly onAsked: (by: LockRequest) => void
}

/** Reads the file, opens it in the editor, and starts a session unless it is read-only. */
async function open<P extends EditorInstance>(
  item: ItemRecord,
  readOnly: string,
  place: React.RefObject<HTMLDivElement | null>,
  openPaper: FrameProps<P>['open'],
  told: OpenCallbacks,
) {
  const accountId = sessionStore.getState().session?.account.userId ?? 0
  const drafts = draftsOf(accountId)
  const { fId: fileId, fName: fileName } = item
  const file = { fileId, fileName }
  const unlock = (): void => void releaseLock(file)
  const begun: { editing?: EditSession } = {}
  const onPaper = (bytes: Uint8Array, parent: HTMLElement): OpenedEditor<P> => {
    try {
      return openPaper(bytes, parent, () => {
        begun.editing?.changed()
        told.onDirty(true)
      })
    } catch (error) {
      // A file that cannot be edited does not hold the lock.
      if (readOnly === '') unlock()
      throw error
    }
  }
  const [bytes, kept] = await Promise.all([
    fetchContent(file, item.version, { signal: told.signal }),
    drafts.of(fileId),
  ])
  const parent = place.current
  if (parent === null) throw new Error('the window has gone')
  const { editor, readOnly: why = '', notice = '', keeps = [] } = onPaper(bytes, parent)
  const leave = readOnly === '' && why === '' ? await claimFile(accountId, item.fId) : undefined
  if (leave === undefined) {
    if (readOnly === '' && why !== '') unlock()
    return {
      paper: editor,
      editing: undefined,
      draft: undefined,
      why: readOnly || why || say('editor.readOnly.otherTab'),
      keeps: [],
      close: editor.close,
    }
  }
  const records = accountRecords(accountId)
  const localPath = `draft:${fileId}`
  const createTime = Date.now()
  const record = (state: number, version: number, closed = false): void =>
    void records.storeEdit({
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
  const started = startEditSession(item.version, {
    content: { draft: editor.draft, bytes: editor.bytes },
    submit: (version, made, madeOf, way) => submit(file, version, made, madeOf, way),
    resume: () => resumeTransfers(fileId),
    lock: () => acquireLock(file),
    keepDraft: (text, version) => drafts.keep({ fileId, fileName, version, text, changedAt: Date.now() }),
    dropDraft: () => drafts.drop(fileId),
    recordAutosave: (version) =>
      api.of(item).updateVersionComment({ fileId, version, comment: say('editor.automatic') }, { quiet: true }),
    record,
    askConflict: async (base, made) => {
      const { answer, newest } = await askConflict(item, base, made)
      return answer === 'overwrite' ? { overwrite: newest.version } : answer
    },
    askLockLost: async (message, option) => {
      const reason = option === 'again' ? say('editor.cannotLock.nobody') : message
      const answer = await openWindow('cloudoc-edit-lock-lost', { name: fileName, reason, option })
      if (answer === 'wait' && (await waitForLock(item))) notifyFailure(say('turn.free.save'))
      return answer === 'wait' ? undefined : answer
    },
    saveAs: (made) => saveCopy(fileName, made),
    now: () => Date.now(),
  })
  begun.editing = started
  record(EditState.opened, item.version)
  const closed = registerEditor(fileId, { ...started, asked: told.onAsked })
  const unsubscribe = started.store.subscribe(() => told.onDirty(started.isDirty()))
  const draft = kept !== undefined && kept.text !== editor.draft() ? kept : undefined
  if (draft === undefined && kept !== undefined) await drafts.drop(fileId)
  editor.setReadOnly(draft !== undefined)
  const waiting = await pendingLockRequest(fileId)
  if (waiting !== undefined) told.onAsked(waiting)
  const keepNow = (): void => void started.keepNow()
  window.addEventListener('pagehide', keepNow)
  document.addEventListener('visibilitychange', keepNow)
  return {
    paper: editor,
    editing: started,
    draft,
    why: notice,
    keeps,
    close(): void {
      window.removeEventListener('pagehide', keepNow)
      document.removeEventListener('visibilitychange', keepNow)
      unsubscribe()
      const { version } = started.store.getState()
      const isLeft = started.isDirty() && !started.isGivenUp()
      if (started.isGivenUp() || (started.isHandedOver() && !isLeft)) void records.deleteEdit(localPath)
      else record(isLeft || draft !== undefined ? EditState.changed : EditState.submitted, version, true)
      started.end()
      editor.close()
      closed()
      leave()
      if (started.hasLock()) unlock()
      void dropLockRequests(fileId)
    },
  }
}

/** Executes the option of a user who can only read the file. */
async function runReadOnlyAction(item: ItemRecord, way: ReadOnlyAction): Promise<void> {
  const { serverId, fId, fName } = item
  const target = { serverId, fId, fType: 1, fName } as const
  if (way === 'rights') return void openWindow('cloudoc-authorization-apply', { item: target })
  if (await (way === 'ask' ? requestLock : waitForLock)(item)) notifyFailure(say('turn.free'))
}

/** Asks about unsaved changes; true if the window may close. */
async function mayLeave(item: ItemRecord, editing: EditSession | undefined): Promise<boolean> {
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

function State({ editing }: { readonly editing: EditSession }): ReactNode {
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

function Warnings({ editing }: { readonly editing: EditSession }): ReactNode {
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
