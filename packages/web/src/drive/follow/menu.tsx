// Following and unfollowing items, in every list of items ([R239]).
import type { ItemRecord } from '@cloudoc/contract'
import { hasStatus, InterestType, itemStatus } from '@cloudoc/domain'
import { ArrowDownload20Regular, Eye20Regular, EyeOff20Regular } from '@fluentui/react-icons'
import { t } from '../../core/i18n/i18n.ts'
import { rules } from '../../items/actions/actions.ts'
import { type ItemAction, itemLists } from '../../items/actions/item-action.tsx'
import { mark } from '../../items/actions/operations.ts'
import { isLink } from '../../items/item/item.ts'
import { onFollowsChanged } from '../../items/lists/lists.ts'

type Kind = keyof typeof InterestType
const flag = { change: 'watchChange', download: 'watchDownload' } as const

const isFollowed = (item: ItemRecord, kind: Kind): boolean => hasStatus(itemStatus(item.itemStatus), flag[kind])

async function setFollowed(items: readonly ItemRecord[], kind: Kind, on: boolean): Promise<void> {
  const interestType = InterestType[kind]
  await mark(
    items.filter((item) => !isLink(item) && isFollowed(item, kind) !== on),
    ({ fileIdArray, folderIdArray }, server) =>
      (on ? server.addInterest : server.deleteInterest)({ fileIdArray, folderIdArray, interestType }),
    {
      done: (n) => t(on ? 'drive.follow.done' : 'drive.follow.ended', { n }),
      failed: (n, reason) => t('drive.follow.failed', { n, reason }),
    },
    onFollowsChanged,
  )
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
      menu: { group: 'together', place: 60 + i },
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
      menu: { group: 'together', place: 60 + i },
      find: true,
      run: ({ withAll }) => withAll((all) => setFollowed(all, kind, false)),
    },
  ] satisfies ItemAction[]
})

export const followMenu = following
