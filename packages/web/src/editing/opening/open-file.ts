// How a file opens to be edited ([R171], [R172]): what is decided, and where each decision leads.
import type { ItemRecord } from '@cloudoc/contract'
import { hasRight, hasStatus, itemStatus, openDecision, type ReadOnlyReason, rights } from '@cloudoc/domain'
import { api, CallError } from '../../core/call/api.ts'
import { t } from '../../core/i18n/i18n.ts'
import { type Session, sessionStore } from '../../core/session/session.ts'
import { withProgressToast } from '../../core/toast/progress-toast.ts'
import { messageBox } from '../../core/windows/boxes.ts'
import { openWindow } from '../../core/windows/index.ts'
import { notifyFailure } from '../../items/actions/operations.ts'
import { isFolder } from '../../items/item/item.ts'
import { type ReadOnlyAction, requestLock, waitForLock } from '../locks/lock-requests.ts'
import { acquireLock } from '../shared/edit-transfers.ts'
import { queryControlProgram } from './control-program.ts'
import { editLocally } from './edit-locally.ts'
import {
  editorFor,
  isCoeditable,
  isEditable,
  isOfficeServerEditable,
  openOfficeServerEditor,
  refreshLater,
} from './editable.ts'

/** What shows when the server has answered; it may ask the person. */
type Next = () => unknown

/** Takes part in editing a file in the page; one that is not for several is edited alone. */
async function openCoedited(item: ItemRecord): Promise<Next> {
  const { joinSession } = await import('./join-session.ts')
  const kept = await joinSession(item)
  if (kept === 'alone') return edit(item)
  return kept === undefined ? () => refreshLater(item.fId) : () => read(item, kept.why)
}

/** What somebody can do who reads what they wanted to edit. */
const readOnlyActions: Partial<Record<ReadOnlyReason, ReadOnlyAction>> = { noModify: 'rights', notShared: 'wait' }

const lockedBy = (
  { editorId, itemStatus: status }: ItemRecord,
  userId: number | undefined,
): 'nobodyElse' | 'other' | 'several' => {
  if (hasStatus(itemStatus(status), 'editMulti')) return 'several'
  return editorId > 0 && editorId !== userId ? 'other' : 'nobodyElse'
}

/** Files that are being opened: who asks for one again would have it twice. */
const opening = new Set<number>()

/** Opens a file to edit it, as far as the person may. */
export async function openFile(fileId: number): Promise<void> {
  const { session } = sessionStore.getState()
  if (session === undefined || opening.has(fileId)) return
  opening.add(fileId)
  try {
    const next = await opened(routeOf(fileId, session)).finally(() => opening.delete(fileId))
    await next()
  } catch (error) {
    notifyFailure(error)
  }
}

const opened = (asked: Promise<Next>): Promise<Next> => withProgressToast('editor.opening', t('editor.opening'), asked)

/** What a file is opened with, and what has to be had of the server for it. */
async function routeOf(fileId: number, session: Session): Promise<Next> {
  const item = await api.getFileInfo({ fileId })
  const own = rights(item.rights)
  const decided = openDecision({
    isFolder: isFolder(item),
    onlineEdit: session.setting.online_edit,
    canModify: hasRight(own, 'modify'),
    canDownload: hasRight(own, 'download'),
    canPreview: hasRight(own, 'preview'),
    isEditable: isEditable(item),
    lockedBy: lockedBy(item, session.account.userId),
    isShared: isOfficeServerEditable(item) || (isCoeditable(item) && hasRight(own, 'download')),
    hasSandbox: false,
  })
  switch (decided.way) {
    case 'edit':
      return isCoeditable(item) ? openCoedited(item) : edit(item)
    case 'join':
      return joinIn(item)
    case 'local':
      return (await queryControlProgram()) === undefined ? () => preview(item) : () => editLocally(item)
    case 'choose':
      return () => (decided.choices.includes('join') ? joinOrRead(item) : readOrAsk(item))
    case 'readOnly':
      return () => read(item, t(`editor.readOnly.${decided.why}`), readOnlyActions[decided.why])
    case 'askRights':
      return () => openWindow('cloudoc-authorization-apply', { item: { fId: item.fId, fType: 1, fName: item.fName } })
    default:
      return () => preview(item)
  }
}

/** While somebody else edits it: to read it, to wait for it, or to ask them for it ([R171]). */
async function readOrAsk(item: ItemRecord): Promise<void> {
  // What is only read anyway is not worth a wait.
  const canWait = isEditable(item)
  const answer = await openWindow('cloudoc-edit-held', { item, canWait })
  if (answer?.action === 'read') {
    read(item, t('editor.readOnly.held', { name: item.editorName, n: item.version }), canWait ? 'ask' : undefined)
  }
  if (answer === undefined || answer.action === 'read') return
  const isFree = await (answer.action === 'wait' ? waitForLock(item) : requestLock(item, answer.message))
  if (isFree) await openFile(item.fId)
}

const joinIn = async (item: ItemRecord): Promise<Next> =>
  isCoeditable(item) ? openCoedited(item) : () => openOfficeServerEditor(item)

/** While several edit it: to be one of them, or to read it as it is stored. */
async function joinOrRead(item: ItemRecord): Promise<void> {
  const { button } = await messageBox({
    text: t('together.held', { name: item.fName }),
    icon: 'question',
    buttons: [
      { id: 'cancel', text: t('box.cancel') },
      { id: 'read', text: t('together.read') },
      { id: 'join', text: t('together.join'), kind: 'primary' },
    ],
  })
  if (button === 'join') await (await opened(joinIn(item)))()
  if (button === 'read') read(item, t('together.readMeanwhile', { n: item.version }))
}

/** Takes the lock and opens the editor; where the server does not give it, the file is read with the reason above it. */
async function edit(item: ItemRecord): Promise<Next> {
  try {
    const { version } = await acquireLock({ fileId: item.fId, fileName: item.fName })
    return () => {
      void openWindow(editorFor(item) ?? 'cloudoc-edit-text', { item: { ...item, version }, readOnly: '' })
      refreshLater(item.fId)
    }
  } catch (error) {
    if (!(error instanceof CallError) || error.code === 'network' || error.code === 'timeout') throw error
    if (error.code === 'fileLocked' && item.editorId === sessionStore.getState().session?.account.userId) {
      return () => takeOverEdit(item)
    }
    return () => read(item, error.message)
  }
}

/** One edits it elsewhere oneself: that may be ended from here, or have been forgotten. */
async function takeOverEdit(item: ItemRecord): Promise<void> {
  const { button } = await messageBox({
    text: t('editor.elsewhere', { name: item.fName }),
    detail: t('editor.elsewhere.more'),
    icon: 'question',
    buttons: [
      { id: 'cancel', text: t('box.cancel') },
      { id: 'read', text: t('together.read') },
      { id: 'here', text: t('editor.elsewhere.here'), kind: 'primary' },
    ],
  })
  if (button === 'read') read(item, t('editor.readOnly.elsewhere'))
  if (button !== 'here') return
  await api.forceUnlockFiles({ fileIdArray: [item.fId], all: false })
  await openFile(item.fId)
}

function read(item: ItemRecord, why: string, wayOn?: ReadOnlyAction): void {
  const editor = editorFor(item)
  if (editor === undefined) preview(item)
  else void openWindow(editor, { item, readOnly: why, ...(wayOn !== undefined && { readOnlyAction: wayOn }) })
}

function preview({ fId, fName, fileSize, rights: own }: ItemRecord): void {
  const canDownload = hasRight(rights(own), 'download')
  const canPreview = hasRight(rights(own), 'preview')
  const file = { fId, fName, fileSize, canPreview, canDownload, canPrint: false }
  void openWindow('previewer', { files: [file], index: 0 })
}
