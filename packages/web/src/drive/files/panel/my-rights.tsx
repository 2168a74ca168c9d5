// Shows the user's rights on an item and where they come from.

import type { ItemRecord } from '@cloudoc/contract'
import {
  groupOf,
  hasRight,
  hasStatus,
  itemStatus,
  minuteTime,
  type RightName,
  type Rights,
  rights,
  shortTime,
} from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api } from '../../../core/call/api.ts'
import { type Translate, useLocale, useT } from '../../../core/i18n/i18n.ts'
import { isolated } from '../../../core/i18n/isolate.ts'
import { openWindow } from '../../../core/windows/index.ts'
import type { ActionContext } from '../../../items/actions/actions.ts'
import { keyOf } from '../../../items/item/item.ts'
import { Button } from '../../../kit/button.tsx'
import './my-rights.css'

const named = [
  'preview',
  'download',
  'upload',
  'modify',
  'move',
  'delete',
  'externalLink',
  'grant',
  'print',
  'secretLevel',
] as const satisfies readonly RightName[]

/** Returns the rights of a mask as text: the name of the rights group, and its rights. */
export function rightsText(mask: Rights, printRights: boolean, t: Translate): string {
  const group = groupOf(mask, { printRights })
  const each = named.filter((name) => (name !== 'print' || printRights) && hasRight(mask, name))
  if (each.length === 0) return t('drive.rights.none')
  const words = each.map((name) => t(`drive.rights.${name}`)).join(t('drive.rights.and'))
  return group === 'custom' ? words : `${t(`drive.rights.group.${group}`)} · ${words}`
}

interface MyRightsProps {
  readonly item: ItemRecord
  readonly context: ActionContext
  readonly now: number
}

export function MyRights({ item, context, now }: MyRightsProps): ReactNode {
  const t = useT()
  const status = itemStatus(item.itemStatus)
  const isOwner = item.ownerId !== 0 && item.ownerId === context.userId
  const isManager = hasStatus(status, 'documentManager')
  const locale = useLocale()
  const { data } = useQuery({
    queryKey: ['drive', 'rights', 'why', keyOf(item), undefined],
    queryFn: () =>
      api.of(item).getRightsReasons(item.fType === 2 ? { folderId: item.fId } : { fileId: item.fId }, { quiet: true }),
    enabled: !isOwner && !isManager,
    staleTime: 0,
  })
  const entries = data?.steps.filter(({ step }) => step === 'entry') ?? []
  const places = new Set(
    entries.flatMap(({ source }) => (source === undefined || source.fName === '' ? [] : source.fName)),
  )
  const why = isOwner
    ? t('drive.rights.owner')
    : isManager
      ? t('drive.rights.manager')
      : data === undefined
        ? undefined
        : places.size > 0
          ? t('drive.rights.from', { places: [...places].map(isolated).join(t('drive.rights.and')) })
          : t('drive.rights.above')
  const ends = entries.flatMap(({ expireTime }) => expireTime ?? [])
  return (
    <section className="dr-info-rights">
      <h3>{t('drive.rights')}</h3>
      <p>{rightsText(rights(item.rights), context.settings.print_rights, t)}</p>
      {why !== undefined && <small>{why}</small>}
      {entries.map(
        ({ approvedBy, approvedAt = 0 }) =>
          approvedBy !== undefined && (
            <small key={approvedAt}>
              {t('drive.rights.approved', { name: isolated(approvedBy), time: shortTime(approvedAt, now, locale) })}
            </small>
          ),
      )}
      {ends.length > 0 && (
        <small>
          {t(entries.length === 1 ? 'drive.rights.ends' : 'drive.rights.endsFirst', {
            time: minuteTime(Math.min(...ends)),
          })}
        </small>
      )}
      <Button kind="link" size="small" onClick={() => void openWindow('drive-why', { item })}>
        {t('rights.menu.why')}
      </Button>
    </section>
  )
}
