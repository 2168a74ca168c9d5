// Following and no longer following, in every list of items ([R239]).
import { InterestType, type ItemRecord } from '@cloudoc/contract'
import { codeOf, codes, codeText, hasStatus, itemStatus } from '@cloudoc/domain'
import { ArrowDownload20Regular, Eye20Regular, EyeOff20Regular } from '@fluentui/react-icons'
import { api } from '../../core/call/api.ts'
import { currentLocale, t } from '../../core/i18n/i18n.ts'
import { toast } from '../../core/toast/toast.ts'
import { rules } from '../actions/actions.ts'
import { type ItemAction, itemLists } from '../actions/item-action.ts'
import { tell } from '../actions/operations.ts'
import { idArrays, isLink } from '../item/item.ts'
import { onFollowsChanged } from '../lists/lists.ts'

type Kind = keyof typeof InterestType
const flag = { change: 'watchChange', download: 'watchDownload' } as const

const isFollowed = (item: ItemRecord, kind: Kind): boolean => hasStatus(itemStatus(item.itemStatus), flag[kind])
const most = 200

async function setFollowed(items: readonly ItemRecord[], kind: Kind, on: boolean): Promise<void> {
  const wanted = items.filter((item) => !isLink(item) && isFollowed(item, kind) !== on)
  try {
    let done = 0
    let refused: number | undefined
    for (let at = 0; at < wanted.length; at += most) {
      const { fileIdArray, folderIdArray } = idArrays(wanted.slice(at, at + most))
      const input = { fileIdArray, folderIdArray, interestType: InterestType[kind] }
      const answers = await (on ? api.addInterest(input) : api.deleteInterest(input))
      const failed = answers.filter(({ result }) => result !== codes.success.code)
      done += answers.length - failed.length
      refused ??= failed[0]?.result
    }
    for (const item of wanted) onFollowsChanged(item)
    if (done > 0) toast({ kind: 'success', text: t(on ? 'drive.follow.done' : 'drive.follow.ended', { n: done }) })
    if (refused !== undefined && codeOf(refused) !== undefined) {
      const reason = codeText(refused, currentLocale())
      toast({ kind: 'error', text: t('drive.follow.failed', { n: wanted.length - done, reason }) })
    }
  } catch (error) {
    tell(error)
  }
}

const modules = itemLists

const following: readonly ItemAction[] = (['change', 'download'] as const).flatMap((kind, i) => {
  const rule = kind === 'change' ? rules.follow : rules.followDownloads
  return [
    {
      ...rule,
      id: `follow-${kind}`,
      modules,
      on: 'items',
      label: `drive.follow.${kind}`,
      icon: kind === 'change' ? <Eye20Regular /> : <ArrowDownload20Regular />,
      show: (item) => !isLink(item) && !isFollowed(item, kind),
      menu: { group: 'save', place: 60 + i },
      find: true,
      run: ({ withAll }) => withAll((all) => setFollowed(all, kind, true)),
    },
    {
      ...rules.follow,
      id: `unfollow-${kind}`,
      modules,
      on: 'items',
      label: `drive.unfollow.${kind}`,
      icon: <EyeOff20Regular />,
      show: (item) => !isLink(item) && isFollowed(item, kind),
      menu: { group: 'save', place: 60 + i },
      find: true,
      run: ({ withAll }) => withAll((all) => setFollowed(all, kind, false)),
    },
  ] satisfies ItemAction[]
})

export const followMenu = following
