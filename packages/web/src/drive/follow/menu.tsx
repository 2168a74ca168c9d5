// Following and unfollowing items, in every list of items ([R239]).
import type { ItemRecord } from '@cloudoc/contract'
import { hasStatus, InterestType, itemStatus } from '@cloudoc/domain'
import { api } from '../../core/call/api.ts'
import { t } from '../../core/i18n/i18n.ts'
import { openWindow } from '../../core/windows/index.ts'
import { rules } from '../../items/actions/actions.ts'
import { type ItemAction, itemLists } from '../../items/actions/item-action.tsx'
import { mark, notifyFailure } from '../../items/actions/operations.ts'
import { isLink } from '../../items/item/item.ts'
import { onFollowsChanged } from '../../items/lists/lists.ts'
import type { Followed } from '../../items/lists/ordered-source.ts'
import { ArrowDownload20Regular, Eye20Regular, EyeOff20Regular, PeopleEye20Regular } from '../../kit/icons.ts'

type Kind = keyof typeof InterestType
const flag = { change: 'watchChange', download: 'watchDownload' } as const

const isFollowed = (item: ItemRecord, kind: Kind): boolean => hasStatus(itemStatus(item.itemStatus), flag[kind])

const followWords = (on: boolean) => ({
  done: (n: number) => t(on ? 'drive.follow.done' : 'drive.follow.ended', { n }),
  failed: (n: number, reason: string) => t('drive.follow.failed', { n, reason }),
})

async function setFollowed(items: readonly ItemRecord[], kind: Kind, on: boolean): Promise<void> {
  const interestType = InterestType[kind]
  await mark(
    items.filter((item) => !isLink(item) && isFollowed(item, kind) !== on),
    ({ fileIdArray, folderIdArray }, server) =>
      (on ? server.addInterest : server.deleteInterest)({ fileIdArray, folderIdArray, interestType }),
    followWords(on),
    onFollowsChanged,
  )
}

/** Asks whose actions to follow, and follows the items for them. Replaces an earlier choice. */
async function followSome(items: readonly ItemRecord[], kind: Kind): Promise<void> {
  const interestType = InterestType[kind]
  const followable = items.filter((item) => !isLink(item))
  const [first] = followable
  if (first === undefined) return
  let followed: Followed = { followedUsers: [], followedGroups: [] }
  if (followable.length === 1 && isFollowed(first, kind)) {
    try {
      const { list } = await api.of(first).getInterestList({ interestType, fId: first.fId })
      followed = list[0] ?? followed
    } catch (error) {
      return notifyFailure(error)
    }
  }
  const names = followable.map(({ fName }) => fName)
  const chosen = await openWindow('drive-follow-some', { kind, names, followed })
  if (chosen === undefined) return
  const idsOf = (type: 'user' | 'group'): string =>
    chosen
      .filter((one) => one.type === type)
      .map(({ id }) => id)
      .join(',')
  await mark(
    followable,
    ({ fileIdArray, folderIdArray }, server) =>
      server.addInterest({
        ...{ fileIdArray, folderIdArray, interestType },
        ...{ userIdString: idsOf('user'), groupIdString: idsOf('group') },
      }),
    followWords(true),
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
      ...rule,
      id: `follow-some-${kind}`,
      modules,
      on: 'items',
      label: `drive.follow.some.${kind}`,
      icon: <PeopleEye20Regular />,
      show: (item) => !isLink(item),
      menu: { group: 'together', place: 62 + i },
      find: true,
      run: ({ withAll }) => withAll((all) => followSome(all, kind)),
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
