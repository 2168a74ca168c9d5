// The presentation of notices whose features are not available yet. Those features add the link targets later.
import { ActivityState, AuditState, ExchangeState, ProcessState, RemindType } from '@cloudoc/domain'
import {
  AlertUrgent20Regular,
  ArrowSwap20Regular,
  Chat20Regular,
  Flow20Regular,
  Mail20Regular,
  ShieldError20Regular,
  Signature20Regular,
} from '@fluentui/react-icons'
import type { Notices } from '../../core/area/area.ts'
import { t } from '../../core/i18n/i18n.ts'

const processText = {
  [ProcessState.pending]: 'approvals.told.process.pending',
  [ProcessState.stepPassed]: 'approvals.told.process.stepPassed',
  [ProcessState.passed]: 'approvals.told.process.passed',
  [ProcessState.failed]: 'approvals.told.process.failed',
  [ProcessState.sentBack]: 'approvals.told.process.sentBack',
} as const
const urgeText = {
  [RemindType.urge]: 'approvals.told.urge.waits',
  [RemindType.urgeToo]: 'approvals.told.urge.waits',
  [RemindType.message]: 'approvals.told.urge.message',
  [RemindType.handled]: 'approvals.told.urge.handled',
  [RemindType.state]: 'approvals.told.urge.state',
} as const
const auditText = {
  [AuditState.added]: 'approvals.told.audit.added',
  [AuditState.approved]: 'approvals.told.audit.approved',
  [AuditState.disapproved]: 'approvals.told.audit.disapproved',
  [AuditState.deleted]: 'approvals.told.audit.deleted',
  [AuditState.review]: 'approvals.told.audit.review',
} as const
const signText = {
  [ActivityState.launched]: 'approvals.told.sign.launched',
  [ActivityState.signed]: 'approvals.told.sign.signed',
  [ActivityState.archived]: 'approvals.told.sign.archived',
  [ActivityState.rejected]: 'approvals.told.sign.rejected',
} as const
const exchangeText = {
  [ExchangeState.waits]: 'approvals.told.exchange.waits',
  [ExchangeState.handedOn]: 'approvals.told.exchange.handedOn',
  [ExchangeState.rejected]: 'approvals.told.exchange.rejected',
  [ExchangeState.approved]: 'approvals.told.exchange.approved',
  [ExchangeState.withdrawn]: 'approvals.told.exchange.withdrawn',
} as const

export const announcedNotices = {
  messageReceived: {
    icon: () => <Chat20Regular />,
    actor: ({ name }) => name,
    text: ({ length }) => t('approvals.told.messages', { n: length }),
  },
  processPlayer: {
    icon: () => <Flow20Regular />,
    actor: ({ launcherName }) => launcherName,
    text: ({ processState, processName }) => t(processText[processState], { name: processName }),
    detail: ({ nodeName }) => nodeName,
  },
  processLauncher: {
    icon: () => <Flow20Regular />,
    text: ({ processState, processName }) => t(processText[processState], { name: processName }),
    detail: ({ nodeName }) => nodeName,
  },
  emailReceived: {
    icon: () => <Mail20Regular />,
    actor: ({ senderName }) => senderName,
    text: ({ mailTitle }) => t('approvals.told.mail', { title: mailTitle }),
  },
  sensitiveFile: {
    icon: () => <ShieldError20Regular />,
    actor: ({ state, userName, uploadName }) =>
      state === AuditState.added ? '' : state === AuditState.review ? uploadName : userName,
    text: ({ state, fileName }) => t(auditText[state], { name: fileName }),
    detail: ({ version }) => t('approvals.told.version', { n: version }),
  },
  urgeRemind: {
    icon: () => <AlertUrgent20Regular />,
    actor: ({ userName }) => userName,
    text: ({ remindType, fName }) => t(urgeText[remindType], { name: fName }),
  },
  fileSign: {
    icon: () => <Signature20Regular />,
    actor: ({ operatorName }) => operatorName,
    text: ({ activityState, activityTitle }) => t(signText[activityState], { name: activityTitle }),
  },
  fileExchange: {
    icon: () => <ArrowSwap20Regular />,
    actor: ({ name }) => name,
    text: ({ remindStatus, itemName }) => t(exchangeText[remindStatus], { name: itemName }),
  },
} satisfies Notices
