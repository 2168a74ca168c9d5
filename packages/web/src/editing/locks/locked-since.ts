// Since when another user has been editing a file, as text.
import { shortTime } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../core/call/api.ts'
import { useLocale, useT } from '../../core/i18n/i18n.ts'
import { type ItemRef, keyOf } from '../../items/item/item.ts'

/** The text; empty while it is unknown, or if nobody edits the file. */
export function useLockedSince(file: ItemRef): string {
  const t = useT()
  const locale = useLocale()
  const [now] = useState(Date.now)
  const { data } = useQuery({
    queryKey: ['drive', 'locked', keyOf(file)],
    queryFn: () => api.of(file).getFileLock({ fileId: file.fId }, { quiet: true }),
    staleTime: 0,
    retry: false,
  })
  return data === undefined || data.lockTime === 0
    ? ''
    : t('turn.since', { time: shortTime(data.lockTime, now, locale) })
}
