/*
 * Access rules: from which network, with which device, at what time, with which level and program people may come, and
 * what they may do then. The first rule that applies decides; rules only narrow. They are evaluated at the sign-in and
 * with every request, on what the session and the settings in force hold.
 */
import type { AccessRule, InstallationSetting } from '@cloudoc/contract'
import { ClientType, fail } from '@cloudoc/domain'
import type { AccountActor } from '../../core/actor.ts'
import { type Admission, isChange } from '../../core/call/admission.ts'
import { isListed } from './addresses.ts'

/** What a rule looks at. */
export interface Circumstances {
  readonly address: string
  readonly now: number
  readonly clientType: number
  readonly level: number
  readonly isApprovedDevice: boolean
  /** The first administrator, who can always mend the rules. */
  readonly isExempt: boolean
  readonly isProgram?: boolean
}

/** Why a rule did not apply: the first of its conditions that does not hold. */
export type Unmet = 'off' | 'level' | 'network' | 'device' | 'time' | 'client'

export interface Verdict {
  readonly action: AccessRule['action']
  /** The position of the rule that decided; -1: none. */
  readonly rule: number
  /** Of each rule before it, why it did not apply. */
  readonly passed: readonly Unmet[]
}

/** The weekday (1 Monday to 7 Sunday) and the minute of the day in a time zone. */
export function momentIn(zone: string, now: number): { readonly day: number; readonly minute: number } {
  const parts = formatOf(zone).formatToParts(now)
  const of = (type: string): string => parts.find((part) => part.type === type)?.value ?? ''
  return { day: days.indexOf(of('weekday')) + 1, minute: (Number(of('hour')) % 24) * 60 + Number(of('minute')) }
}

const days = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
const formats = new Map<string, Intl.DateTimeFormat>()
function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known !== undefined) return known
  const made = new Intl.DateTimeFormat('en-GB', {
    ...{ timeZone: zone, weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  })
  formats.set(zone, made)
  return made
}

/** Whether a moment lies in the hours of a rule. Hours that end before they begin reach into the next day. */
function isInHours(
  { days: ofWeek, from, to }: NonNullable<AccessRule['hours']>,
  at: { day: number; minute: number },
): boolean {
  const isDay = (day: number): boolean => ofWeek.length === 0 || ofWeek.includes(day)
  if (from === to) return isDay(at.day)
  if (from < to) return isDay(at.day) && at.minute >= from && at.minute < to
  const dayBefore = at.day === 1 ? 7 : at.day - 1
  return (isDay(at.day) && at.minute >= from) || (isDay(dayBefore) && at.minute < to)
}

const kindOf = ({ clientType, isProgram }: Circumstances): AccessRule['clients'][number] =>
  isProgram === true
    ? 'program'
    : clientType === ClientType.web
      ? 'web'
      : clientType === ClientType.mobile
        ? 'mobile'
        : 'desktop'

function unmetBy(rule: AccessRule, at: Circumstances, zone: string): Unmet | undefined {
  if (!rule.enabled) return 'off'
  if (at.level < rule.minLevel) return 'level'
  if (rule.networks.length > 0 && isListed(rule.networks, at.address) === rule.outside) return 'network'
  if (rule.devices !== 'any' && (rule.devices === 'approved') !== at.isApprovedDevice) return 'device'
  if (rule.clients.length > 0 && !rule.clients.includes(kindOf(at))) return 'client'
  if (rule.hours !== null && isInHours(rule.hours, momentIn(zone, at.now)) === rule.hours.outside) return 'time'
  return undefined
}

/** Decides by the first rule that applies; without one, access is as the rights say. */
export function decideAccess(
  { inner, setting }: Pick<InstallationSetting, 'inner' | 'setting'>,
  at: Circumstances,
): Verdict {
  const passed: Unmet[] = []
  if (at.isExempt) return { action: 'allow', rule: -1, passed }
  for (const [index, rule] of inner.access_rules.entries()) {
    const unmet = unmetBy(rule, at, setting.download_time_zone)
    if (unmet === undefined) return { action: rule.action, rule: index, passed }
    passed.push(unmet)
  }
  return { action: 'allow', rule: -1, passed }
}

/** What the rules say of a session at this address and time. */
function verdictOn(actor: AccountActor, address: string, now: number): AccessRule['action'] {
  if (actor.settings.inner.access_rules.length === 0) return 'allow'
  return decideAccess(actor.settings, {
    ...{ address, now, clientType: actor.clientType, level: actor.secretLevel },
    isApprovedDevice: actor.device?.isApproved === true,
    isExempt: actor.isAdmin,
    isProgram: actor.program !== undefined,
  }).action
}

/** Whether the rules let a session come at all. */
export const isAdmitted = (actor: AccountActor, address: string, now: number): boolean =>
  verdictOn(actor, address, now) !== 'refuse'

/** Applies the rules to every operation of a signed-in account. */
export const accessAdmission: Admission = ({ operation, actor, address, now }) => {
  if (actor?.kind !== 'account') return
  const action = verdictOn(actor, address, now)
  if (action === 'refuse' && operation.name !== 'logout2') fail('accessRefused')
  if (action === 'readOnly' && isChange(operation)) fail('accessReadOnly')
  const lacksFactor = actor.hasFactor !== true && actor.program === undefined
  if (action === 'secondFactor' && operation.before === undefined && lacksFactor) fail('secondFactorMissing')
}
