// The presentation of notices about exchanges.
import { ExchangeStatus } from '@cloudoc/domain'
import type { Notices } from '../core/area/area.ts'
import {
  ArrowSwap20Regular,
  CheckmarkCircle20Regular,
  ClipboardTask20Regular,
  DismissCircle20Regular,
  MailInbox20Regular,
} from '../kit/icons.ts'

const icons = {
  [ExchangeStatus.toReview]: <ClipboardTask20Regular />,
  [ExchangeStatus.reviewing]: <ArrowSwap20Regular />,
  [ExchangeStatus.rejected]: <DismissCircle20Regular />,
  [ExchangeStatus.approved]: <CheckmarkCircle20Regular />,
  [ExchangeStatus.withdrawn]: <ArrowSwap20Regular />,
} as const

export const exchangeNotices = {
  fileExchange: {
    icon: ({ remindStatus, approveId }) => (approveId > 0 ? <MailInbox20Regular /> : icons[remindStatus]),
    detail: ({ networkName }) => networkName,
  },
} satisfies Notices
