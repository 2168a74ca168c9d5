// Server settings for administrators: all settings that features declare as administered, with one call per
// administrator power (decisions E2).
import { z } from 'zod'
import { applications } from '../approvals/applications.ts'
import { authorization } from '../approvals/authorization.ts'
import { urging } from '../approvals/urging.ts'
import { administrator, securityAdministrator, systemAdministrator } from '../authority.ts'
import { call } from '../call.ts'
import { mail } from '../core/mail.ts'
import { push as pushChannel } from '../core/push.ts'
import { sms } from '../core/sms.ts'
import { comments } from '../drive/comments.ts'
import { conditions } from '../drive/conditions.ts'
import { downloadLimits } from '../drive/downloads.ts'
import { files } from '../drive/files.ts'
import { libraries } from '../drive/libraries.ts'
import { quotas } from '../drive/quotas.ts'
import { rights } from '../drive/rights.ts'
import { scanning } from '../drive/scanning.ts'
import { tags } from '../drive/tags.ts'
import { transfer } from '../drive/transfer.ts'
import { watermarks } from '../drive/watermarks.ts'
import { locks } from '../editing/locks.ts'
import { wopi } from '../editing/wopi.ts'
import { exchange } from '../exchange/exchanges.ts'
import { type ContractFeature, feature, type Join } from '../feature.ts'
import { Count, Nothing, Time } from '../fields.ts'
import { mailboxes } from '../mail/mailboxes.ts'
import { account } from '../people/account.ts'
import { auth } from '../people/auth.ts'
import { company } from '../people/company.ts'
import { devices } from '../people/devices.ts'
import { people } from '../people/organisation.ts'
import { passkeys } from '../people/passkeys.ts'
import { programs } from '../people/programs.ts'
import { ways } from '../people/ways.ts'
import { webPush } from '../people/web-push.ts'
import { push } from '../push.ts'
import { search } from '../search/items.ts'
import { type SettingPlace, SettingValue } from '../setting.ts'
import { externalLinks } from '../sharing/links.ts'
import { signing } from '../signing/activities.ts'
import { talkConversations } from '../talk/conversations.ts'
import { preview } from '../viewing/preview.ts'
import { processes } from '../workflow/processes.ts'
import { audit } from './audit.ts'
import { jobs } from './jobs.ts'

/** The features with administered settings. */
const declaring = {
  account,
  applications,
  audit,
  auth,
  authorization,
  comments,
  company,
  conditions,
  exchange,
  externalLinks,
  files,
  libraries,
  locks,
  mail,
  mailboxes,
  jobs,
  people,
  preview,
  processes,
  pushChannel,
  quotas,
  rights,
  scanning,
  search,
  sms,
  tags,
  transfer,
  passkeys,
  devices,
  programs,
  ways,
  webPush,
  watermarks,
  wopi,
  downloadLimits,
  urging,
  signing,
  talkConversations,
}

type Declared = Join<{ readonly [F in keyof typeof declaring]: (typeof declaring)[F]['settings'] }, 'administered'>
/** The names of the settings of one power. */
type NamesOf<P> = { [N in keyof Declared]: Declared[N] extends { readonly power: P } ? N : never }[keyof Declared]

/** The input schema of all settings of one power; absent settings stay unchanged. */
function settingFields<const P extends SettingPlace['power']>(power: P) {
  const fields = Object.values<ContractFeature>(declaring).flatMap(({ settings = {} }) => {
    const shapes = { ...settings.setting, ...settings.beside, ...settings.inner } as Record<
      string,
      z.ZodDefault<z.ZodType>
    >
    return Object.entries(settings.administered ?? {})
      .filter(([, place]) => place.power === power)
      .map(([name, { entered }]) => [name, (entered ?? shapes[name]?.unwrap() ?? z.never()).optional()])
  })
  return Object.fromEntries(fields) as Record<NamesOf<P>, z.ZodOptional<z.ZodType<SettingValue, SettingValue>>>
}

/**
 * Sequence number of the newest change that the administrator has seen. A setting changed after it is not overwritten.
 */
const seen = { seen: Count.optional() }

const Change = z.strictObject({
  name: z.string(),
  at: Time,
  /** Empty for automatic changes. */
  by: z.string(),
  before: SettingValue,
  after: SettingValue,
})

const administrationCalls = {
  /** All settings that administrators can edit, with their power, and the recent changes. */
  getAdministeredSettings: call({
    summary: 'Tells every setting of the server, what it is without a choice, and who changed it',
    kind: 'read',
    method: 'GET',
    path: '/services2/setting/getAdministeredSettings',
    auth: 'required',
    payload: 'none',
    origin: 'ours',
    guard: administrator,
    input: z.strictObject({}),
    data: z.strictObject({
      list: z.array(
        z.strictObject({
          name: z.string(),
          value: SettingValue,
          /** Default value in a new installation. */
          fallback: SettingValue,
          /** Last change: administrator and time; absent if never changed. */
          changed: z.strictObject({ at: Time, by: z.string() }).optional(),
        }),
      ),
      seen: z.int(),
      recent: z.array(Change),
    }),
  }),
  /** Services offered to all users, and limits for all users. */
  setServerSetting: call({
    summary: 'Changes what the server offers to everybody',
    title: { zh: '修改设置', en: 'Settings' },
    kind: 'write',
    method: 'POST',
    path: '/services2/setting/setServerSetting',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    guard: systemAdministrator,
    input: z.strictObject({ ...settingFields('system'), ...seen }),
    data: Nothing,
    codes: ['settingChanged', 'settingsContradict'],
  }),
  /** Sign-in rules and secret levels. */
  setSafeStrategy: call({
    summary: 'Changes how people sign in safely',
    title: { zh: '修改安全策略', en: 'Safety policy' },
    kind: 'write',
    method: 'POST',
    path: '/services2/setting/setSafeStrategy',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    guard: securityAdministrator,
    input: z.strictObject({ ...settingFields('security'), ...seen }),
    data: Nothing,
    codes: ['settingChanged', 'settingsContradict'],
  }),
}

const administrationPushes = {
  /** Settings sent to clients have changed; pages fetch them again. The push number is not in the spec. */
  settingsChanged: push({
    summary: 'Settings of the server have changed',
    type: 200,
    delivery: 'replayed',
    payload: z.strictObject({}),
  }),
}

export const administration = feature({
  about: { name: 'settings', text: 'What an administrator sets of the server' },
  calls: administrationCalls,
  pushes: administrationPushes,
})
