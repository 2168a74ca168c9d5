// The state of a link as a chip.
import { LinkStatus } from '@cloudoc/domain'
import type { ReactNode } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { type ChipTone, StatusChip } from '../../kit/chips.tsx'
import './link-texts.ts'

type Status = (typeof LinkStatus)[keyof typeof LinkStatus]

const tones: Readonly<Record<Status, ChipTone>> = {
  [LinkStatus.active]: 'success',
  [LinkStatus.inactive]: 'neutral',
  [LinkStatus.over]: 'neutral',
  [LinkStatus.underApproval]: 'info',
  [LinkStatus.refused]: 'danger',
  [LinkStatus.failed]: 'danger',
}

/** The state of a link. */
export function LinkChip({ status }: { readonly status: Status }): ReactNode {
  const t = useT()
  return <StatusChip tone={tones[status]}>{t(`links.status.${status}`)}</StatusChip>
}
