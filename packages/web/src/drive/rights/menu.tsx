// Permission actions in every list of items: share, manage, copy, paste, clear, and explain.
import type { ItemRecord } from '@cloudoc/contract'
import { codeOf, codes, codeText, hasRight, rights } from '@cloudoc/domain'
import { api, mainServer, type ServerApi } from '../../core/call/api.ts'
import { currentLocale, t } from '../../core/i18n/i18n.ts'
import { toast } from '../../core/toast/toast.ts'
import { confirmBox } from '../../core/windows/boxes.ts'
import { openWindow } from '../../core/windows/index.ts'
import { rules } from '../../items/actions/actions.ts'
import { type ItemAction, itemLists } from '../../items/actions/item-action.tsx'
import { notifyFailure } from '../../items/actions/operations.ts'
import { idArrays, isLink } from '../../items/item/item.ts'
import { refreshDrive } from '../../items/lists/lists.ts'
import {
  ClipboardPaste20Regular,
  Copy20Regular,
  EraserTool20Regular,
  Key20Regular,
  QuestionCircle20Regular,
  Share16Regular,
  Share20Regular,
} from '../../kit/icons.ts'
import { maxBulkItems } from './bulk-draft.ts'
import { useRightsClipboard } from './rights-clipboard.ts'

const modules = itemLists
const items = { modules, on: 'items', find: true, show: (item: ItemRecord) => !isLink(item) } as const

type Answers = Awaited<ReturnType<ServerApi['clearShareList']>>

/** Reports the number of changed items, and why the others failed. */
function notifyAnswers(answers: Answers, done: 'rights.pasted' | 'rights.cleared' | 'rights.givenUp'): void {
  const refused = answers.filter(({ result }) => result !== codes.success.code)
  if (refused.length < answers.length) toast({ kind: 'success', text: t(done, { n: answers.length - refused.length }) })
  const [first] = refused
  if (first !== undefined && codeOf(first.result) !== undefined)
    toast({
      kind: 'error',
      text:
        done === 'rights.givenUp' && first.result === codes.noPermission.code
          ? t('rights.giveUp.none', { name: first.name })
          : t('rights.refusedFor', { name: first.name, reason: codeText(first.result, currentLocale()) }),
    })
  refreshDrive()
}

async function paste(all: readonly ItemRecord[]): Promise<void> {
  const { from } = useRightsClipboard.getState()
  if (from === undefined) return
  const text = t('rights.ask.paste', { name: from.fName, n: all.length })
  if (!(await confirmBox({ text, detail: t('rights.ask.pasteMore'), ok: t('rights.menu.paste') }))) return
  const { fileIdArray, folderIdArray } = idArrays(all)
  try {
    const source = from.fType === 2 ? { sourceFolderId: from.fId } : { sourceFileId: from.fId }
    const targets = { targetFileIds: fileIdArray, targetFolderIds: folderIdArray }
    notifyAnswers(await api.batchCopyShare({ ...source, ...targets }), 'rights.pasted')
  } catch (error) {
    notifyFailure(error)
  }
}

/** Clears the permissions of the items. Whoever may not grant them gives up those that name them ([R150]). */
async function clear(all: readonly ItemRecord[]): Promise<void> {
  const mine = all.every((item) => !hasRight(rights(item.rights), 'grant'))
  const [text, detail, done] = mine
    ? ([t('rights.giveUp.ask', { n: all.length }), t('rights.giveUp.more'), 'rights.givenUp'] as const)
    : ([t('rights.ask.clear', { n: all.length }), t('rights.ask.clearMore'), 'rights.cleared'] as const)
  if (!(await confirmBox({ text, detail, ok: t('rights.menu.clear'), danger: true }))) return
  const { fileIdArray, folderIdArray } = idArrays(all)
  try {
    const answers = await api
      .of(all[0] ?? mainServer)
      .clearShareList({ fileIds: fileIdArray, folderIds: folderIdArray })
    notifyAnswers(answers, done)
  } catch (error) {
    notifyFailure(error)
  }
}

export const rightsMenu: readonly ItemAction[] = [
  {
    ...rules.grant,
    ...items,
    modules: [...items.modules, 'previewer'],
    id: 'share',
    label: 'share.menu',
    icon: <Share20Regular />,
    menu: { group: 'save', place: 40 },
    tool: { icon: <Share16Regular /> },
    run: ({ withAll }) =>
      withAll(async (all) => {
        if ((await openWindow('cloudoc-share', { items: all })) === true) refreshDrive()
      }),
  } satisfies ItemAction,
  {
    ...rules.grant,
    ...items,
    id: 'permission',
    label: 'rights.menu.manage',
    icon: <Key20Regular />,
    menu: { group: 'safety', place: 10 },
    run: ({ withAll }) =>
      withAll(async (all) => {
        const [item] = all
        if (item === undefined) return
        if (all.length > maxBulkItems) notifyFailure(t('rights.many.tooMany', { n: maxBulkItems }))
        else if ((await openWindow('cloudoc-permission', { item, items: all })) === true) refreshDrive()
      }),
  } satisfies ItemAction,
  {
    ...rules.manageRights,
    ...items,
    id: 'copyRights',
    label: 'rights.menu.copy',
    icon: <Copy20Regular />,
    menu: { group: 'safety', place: 20 },
    run: ({ items: [item] }) => {
      if (item === undefined) return
      useRightsClipboard.setState({ from: item })
      toast({ kind: 'success', text: t('rights.copied', { name: item.fName }) })
    },
  } satisfies ItemAction,
  {
    ...rules.grant,
    ...items,
    id: 'pasteRights',
    label: 'rights.menu.paste',
    icon: <ClipboardPaste20Regular />,
    menu: { group: 'safety', place: 30 },
    show: (item) => !isLink(item) && useRightsClipboard.getState().from !== undefined,
    run: ({ withAll }) => withAll(paste),
  } satisfies ItemAction,
  {
    ...rules.clearRights,
    ...items,
    id: 'clearRights',
    label: 'rights.menu.clear',
    icon: <EraserTool20Regular />,
    menu: { group: 'safety', place: 40 },
    run: ({ withAll }) => withAll(clear),
  } satisfies ItemAction,
  {
    ...rules.open,
    ...items,
    id: 'why',
    label: 'rights.menu.why',
    icon: <QuestionCircle20Regular />,
    menu: { group: 'safety', place: 50 },
    run: ({ items: [item] }) => item && openWindow('drive-why', { item }),
  } satisfies ItemAction,
]
