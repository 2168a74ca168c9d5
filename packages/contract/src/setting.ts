// How an administrator edits a server setting.
import { z } from 'zod'
import type { InBothLanguages } from './call.ts'
import { text } from './fields.ts'

/** The headings that settings are grouped under. */
export const settingGroups = [
  'site',
  'calendar',
  'files',
  'preview',
  'space',
  'upload',
  'network',
  'mail',
  'sms',
  'audit',
  'password',
  'lock',
  'session',
  'levels',
] as const
export type SettingGroup = (typeof settingGroups)[number]

/** Values of choice settings. */
export type SettingChoice = 'starttls' | 'tls' | 'plain' | 'tcp' | 'udp' | 'POST' | 'GET' | EnumeratedChoice

/** Labels of the values of numeric enumeration settings. */
type EnumeratedChoice =
  | 'encryptForAll'
  | 'encryptButManagers'
  | 'encryptButEditors'
  | 'workFive'
  | 'workSix'
  | 'workSeven'
  | 'editAlone'
  | 'editInPage'
  | 'editByOffice'
  | 'previewHere'
  | 'previewByOffice'

/** The texts of a setting, which administrator it belongs to, its group, and its input control. */
export interface SettingPlace {
  /** The name of the setting, and one sentence on its effect. */
  readonly label: InBothLanguages
  readonly note: InBothLanguages
  readonly power: 'system' | 'security'
  readonly group: SettingGroup
  /**
   * The input control. `bytes`: a number with a unit, 0 for no limit. `lines`: a list, one entry per line. `address`:
   * URL of a web page, or empty. `colours`: one for each secret level. `host`: a host name, or empty. `mail`: a mail
   * address, or empty. `gateway`: URL of an API, or empty. `choice`: one of `choices`; a `number` with `choices` is an
   * index into them, from 0.
   */
  readonly as:
    | 'switch'
    | 'number'
    | 'bytes'
    | 'text'
    | 'address'
    | 'lines'
    | 'colours'
    | 'host'
    | 'mail'
    | 'gateway'
    | 'choice'
  readonly choices?: readonly SettingChoice[]
  /** Example value, shown as placeholder in an empty input. */
  readonly example?: string
  /** Schema of the input, if it is stricter than that of the setting. */
  readonly entered?: z.ZodType
}

/** All possible setting values. */
export const SettingValue = z.union([z.boolean(), z.number(), text(2000), z.array(text(200)).max(1000)])
export type SettingValue = z.output<typeof SettingValue>

/**
 * URL of a page that users are redirected to, or empty. Script URLs, which would run in the page itself, are rejected.
 */
export const WebAddress = text(500).refine(
  // A name and password before the host would be sent to everybody who is redirected, and stored in plain text.
  (value) => value === '' || /^https?:\/\/(?![^/?#]*@)[^\s/]/i.test(value),
  'an address that begins with http:// or https://, without a name or password',
)
