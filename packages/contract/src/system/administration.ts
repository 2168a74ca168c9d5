// Setting the server: every setting that features let administrators set, one call for each hand (admin.md E2).
import { z } from 'zod'
import { authorization } from '../approvals/authorization.ts'
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
import { tags } from '../drive/tags.ts'
import { transfer } from '../drive/transfer.ts'
import { watermarks } from '../drive/watermarks.ts'
import { locks } from '../editing/locks.ts'
import { wopi } from '../editing/wopi.ts'
import { type ContractFeature, feature, type Join } from '../feature.ts'
import { Count, Nothing, Time } from '../fields.ts'
import { account } from '../people/account.ts'
import { auth } from '../people/auth.ts'
import { company } from '../people/company.ts'
import { people } from '../people/organisation.ts'
import { push } from '../push.ts'
import { search } from '../search/items.ts'
import { type SettingPlace, SettingValue } from '../setting.ts'
import { externalLinks } from '../sharing/links.ts'
import { preview } from '../viewing/preview.ts'
import { audit } from './audit.ts'

/** The features that have such settings. */
const declaring = {
  account,
  audit,
  auth,
  authorization,
  comments,
  company,
  conditions,
  externalLinks,
  files,
  libraries,
  locks,
  mail,
  people,
  preview,
  pushChannel,
  quotas,
  rights,
  search,
  sms,
  tags,
  transfer,
  watermarks,
  wopi,
  downloadLimits,
}

type Declared = Join<{ readonly [F in keyof typeof declaring]: (typeof declaring)[F]['settings'] }, 'administered'>
/** The names of the settings of a power. */
type NamesOf<P> = { [N in keyof Declared]: Declared[N] extends { readonly power: P } ? N : never }[keyof Declared]

/** Each setting of a power as it may be given; what is left out stays as it is. */
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

/** The newest change that whoever sets something has seen: a setting that was changed after it is not set over. */
const seen = { seen: Count.optional() }

const Change = z.strictObject({
  name: z.string(),
  at: Time,
  /** Empty for what no person did. */
  by: z.string(),
  before: SettingValue,
  after: SettingValue,
})

const administrationCalls = {
  /** Every setting that an administrator can set, whoever's it is, and what was changed of late. */
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
          /** What a new installation starts with. */
          fallback: SettingValue,
          /** Who changed it last, and when; absent where nobody has. */
          changed: z.strictObject({ at: Time, by: z.string() }).optional(),
        }),
      ),
      seen: z.int(),
      recent: z.array(Change),
    }),
  }),
  /** What the server offers to everybody and the limits that hold for everybody. */
  setServerSetting: call({
    summary: 'Changes what the server offers to everybody',
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
  /** The rules of signing in, and the secret levels. */
  setSafeStrategy: call({
    summary: 'Changes how people sign in safely',
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
  /** What clients are told of the settings has changed: pages ask for it again. The number is ours. */
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
