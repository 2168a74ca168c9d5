// Setting the server: every setting that features let administrators set, one call for each hand (admin.md E2).
import { z } from 'zod'
import { administrator, securityAdministrator, systemAdministrator } from '../authority.ts'
import { call } from '../call.ts'
import { type ContractFeature, feature, type Join } from '../feature.ts'
import { Count, Nothing, Time } from '../fields.ts'
import { push } from '../push.ts'
import { type SettingPlace, SettingValue } from '../setting.ts'
import { account } from './account.ts'
import { audit } from './audit.ts'
import { auth } from './auth.ts'
import { authorization } from './authorization.ts'
import { comments } from './comments.ts'
import { company } from './company.ts'
import { conditions } from './conditions.ts'
import { downloadLimits } from './download-limits.ts'
import { externalLinks } from './external-links.ts'
import { files } from './files.ts'
import { libraries } from './libraries.ts'
import { locks } from './locks.ts'
import { mail } from './mail.ts'
import { people } from './people.ts'
import { preview } from './preview.ts'
import { push as pushChannel } from './push.ts'
import { quotas } from './quotas.ts'
import { rights } from './rights.ts'
import { search } from './search.ts'
import { sms } from './sms.ts'
import { tags } from './tags.ts'
import { transfer } from './transfer.ts'
import { watermarks } from './watermarks.ts'
import { wopi } from './wopi.ts'

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
function given<const P extends SettingPlace['power']>(power: P) {
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
    input: z.strictObject({ ...given('system'), ...seen }),
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
    input: z.strictObject({ ...given('security'), ...seen }),
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
