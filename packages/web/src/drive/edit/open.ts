// How a file opens to be edited ([R171], [R172]): what is decided, and where each decision leads.
import type { ItemRecord } from '@cloudoc/contract'
import {
  editedTableBytes,
  editedTextBytes,
  extNameOf,
  hasRight,
  hasStatus,
  isText,
  itemStatus,
  MultiEdit,
  openDecision,
  rights,
} from '@cloudoc/domain'
import { api, CallError } from '../../core/call/api.ts'
import { t } from '../../core/i18n/i18n.ts'
import { sessionStore } from '../../core/session/session.ts'
import { draftsOf } from '../../core/storage/drafts.ts'
import { messageBox } from '../../core/windows/boxes.ts'
import { openWindow } from '../../core/windows/index.ts'
import { tell } from '../actions/operations.ts'
import { isFolder } from '../item/item.ts'
import { previewKind } from '../preview/preview-kind.ts'
import { askForTurn, waitForTurn } from './asking.ts'
import { type EditorWindow, officeEditor } from './formats.ts'

/** The largest workbook that is edited in the page. */
const editedOfficeBytes = 20 * 1024 * 1024

/** The window of the editor for such a file, where there is one in the page. */
export function editorFor({ fName, fileSize }: Pick<ItemRecord, 'fName' | 'fileSize'>): EditorWindow | undefined {
  const ext = extNameOf(fName).toLowerCase()
  const kind = previewKind(ext)
  if (kind === 'table' && fileSize <= editedTableBytes) return 'cloudoc-edit-table'
  if (kind === 'text' || kind === 'table') return fileSize <= editedTextBytes ? 'cloudoc-edit-text' : undefined
  const editor = officeEditor(ext)
  return editor !== undefined && fileSize <= editedOfficeBytes ? editor : undefined
}

/** Whether there is an editor in the page for such a file. */
export function isEditable(item: Pick<ItemRecord, 'fName' | 'fileSize'>): boolean {
  return editorFor(item) !== undefined
}

/** Whether several may edit such a file at once, on the page of the office server. */
export function isShared({ fName }: Pick<ItemRecord, 'fName'>): boolean {
  const { setting, preview_format: formats } = sessionStore.getState().session?.serverSetting ?? {}
  return (
    setting?.multi_edit_type === MultiEdit.office &&
    formats?.multiEdit.includes(extNameOf(fName).toLowerCase()) === true
  )
}

/** Whether several may edit such a file at once in the page. */
export function isHere(item: Pick<ItemRecord, 'fName' | 'fileSize'>): boolean {
  const { setting } = sessionStore.getState().session?.serverSetting ?? {}
  return setting?.multi_edit_type === MultiEdit.here && isText(extNameOf(item.fName)) && isEditable(item)
}

/** Opens the page on which a file is edited together with others. */
export function openTogether({ fId, fName }: Pick<ItemRecord, 'fId' | 'fName'>): void {
  void openWindow('cloudoc-multi-edit', { item: { fId, fName } })
}

/** Takes part in editing a file in the page; one that is not for several is edited alone. */
async function openHere(item: ItemRecord): Promise<void> {
  const { fId: fileId } = item
  const accountId = sessionStore.getState().session?.account.userId ?? 0
  const { together: kept } = (await draftsOf(accountId).of(fileId)) ?? {}
  const join = (known: { generation?: number; client?: number }) =>
    api.joinTogether({ fileId, ...known }, { quiet: true })
  try {
    let joined = await join(kept === undefined ? {} : { generation: kept.generation, client: kept.client }).catch(
      (error: unknown) => {
        if (kept !== undefined && error instanceof CallError && error.code === 'fileConflict') return undefined
        throw error
      },
    )
    // What this browser has kept is of a document that is no more: it is offered as a text of its own.
    joined ??= await join({})
    void openWindow('cloudoc-edit-here', { item, joined })
  } catch (error) {
    if (!(error instanceof CallError)) throw error
    if (error.code === 'conversionUnsupported' || error.code === 'fileSizeExceeded') return edit(item)
    if (error.code !== 'fileLocked') throw error
    read(item, error.message)
  }
}

const heldBy = (
  { editorId, itemStatus: status }: ItemRecord,
  userId: number | undefined,
): 'nobodyElse' | 'other' | 'several' => {
  if (hasStatus(itemStatus(status), 'editMulti')) return 'several'
  return editorId > 0 && editorId !== userId ? 'other' : 'nobodyElse'
}

/** Opens a file to edit it, as far as the person may. */
export async function openToEdit(fileId: number): Promise<void> {
  const { session } = sessionStore.getState()
  if (session === undefined) return
  try {
    const item = await api.getFileInfo({ fileId })
    const own = rights(item.rights)
    const decided = openDecision({
      isFolder: isFolder(item),
      onlineEdit: session.setting.online_edit,
      canModify: hasRight(own, 'modify'),
      canDownload: hasRight(own, 'download'),
      canPreview: hasRight(own, 'preview'),
      isEditable: isEditable(item),
      heldBy: heldBy(item, session.account.userId),
      isShared: isShared(item) || (isHere(item) && hasRight(own, 'download')),
      hasSandbox: false,
    })
    switch (decided.way) {
      case 'edit':
        return await (isHere(item) ? openHere(item) : edit(item))
      case 'join':
        return await joinIn(item)
      case 'choose':
        if (decided.choices.includes('join')) return await joinOrRead(item)
        return await readOrAsk(item)
      case 'readOnly':
        return read(item, t(`editor.readOnly.${decided.why}`))
      case 'askRights':
        return void openWindow('cloudoc-authorization-apply', { item: { fId: item.fId, fType: 1, fName: item.fName } })
      default:
        return preview(item)
    }
  } catch (error) {
    tell(error)
  }
}

/** While somebody else edits it: to read it, to wait for it, or to ask them for it ([R171]). */
async function readOrAsk(item: ItemRecord): Promise<void> {
  // What is only read anyway is not worth a wait.
  const canWait = isEditable(item)
  const { button } = await messageBox({
    text: t('turn.held', { who: item.editorName, name: item.fName }),
    icon: 'question',
    buttons: [
      { id: 'read', text: t('turn.read') },
      ...(canWait
        ? ([
            { id: 'wait', text: t('turn.wait') },
            { id: 'ask', text: t('turn.ask') },
          ] as const)
        : []),
    ],
  })
  if (button === 'read') read(item, t('editor.readOnly.held', { name: item.editorName, n: item.version }))
  const ask = button === 'wait' ? waitForTurn : button === 'ask' ? askForTurn : undefined
  if (await ask?.(item)) await openToEdit(item.fId)
}

const joinIn = async (item: ItemRecord): Promise<void> => (isHere(item) ? openHere(item) : openTogether(item))

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
  if (button === 'join') await joinIn(item)
  if (button === 'read') read(item, t('together.readMeanwhile', { n: item.version }))
}

/** Takes the lock and opens the editor; where the server does not give it, the file is read with the reason above it. */
async function edit(item: ItemRecord): Promise<void> {
  try {
    const { version } = await api.fileEditLock({ fileId: item.fId }, { quiet: true })
    void openWindow(editorFor(item) ?? 'cloudoc-edit-text', { item: { ...item, version }, readOnly: '' })
  } catch (error) {
    if (!(error instanceof CallError) || error.code === 'network' || error.code === 'timeout') throw error
    read(item, error.message)
  }
}

function read(item: ItemRecord, why: string): void {
  const editor = editorFor(item)
  if (editor === undefined) preview(item)
  else void openWindow(editor, { item, readOnly: why })
}

function preview({ fId, fName, fileSize, rights: own }: ItemRecord): void {
  const canDownload = hasRight(rights(own), 'download')
  const canPreview = hasRight(rights(own), 'preview')
  const file = { fId, fName, fileSize, canPreview, canDownload, canPrint: false }
  void openWindow('previewer', { files: [file], index: 0 })
}
