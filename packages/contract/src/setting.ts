// How an administrator sets one of the server's settings.
import { z } from 'zod'
import { text } from './fields.ts'

/** The headings under which settings stand. */
export const settingGroups = [
  'site',
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

/** What settings that are one of several values can be. */
export type SettingChoice = 'starttls' | 'tls' | 'plain' | 'tcp' | 'udp' | 'POST' | 'GET' | EnumeratedChoice

/** What the numbers of settings that stand for something are called. */
type EnumeratedChoice = 'editAlone' | 'editInPage' | 'editByOffice' | 'previewHere' | 'previewByOffice'

/** Whose a setting is, under which heading it stands, and how it is entered. */
export interface SettingPlace {
  readonly power: 'system' | 'security'
  readonly group: SettingGroup
  /**
   * `bytes`: a number with a unit, 0 for no limit. `lines`: a list, one in each line. `address`: of a web page, or none.
   * `colours`: one for each secret level. `host`: of a machine, or none. `mail`: an address that mail goes to, or none.
   * `gateway`: the address of a machine's interface, or none. `choice`: one of `choices`; a `number` with `choices` is the
   * place of one of them, from 0.
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
  /** What it may look like, shown where nothing is entered. */
  readonly example?: string
  /** What may be entered, where that is less than the setting can hold. */
  readonly entered?: z.ZodType
}

/** Every value that a setting can have. */
export const SettingValue = z.union([z.boolean(), z.number(), text(2000), z.array(text(200)).max(1000)])
export type SettingValue = z.output<typeof SettingValue>

/** The address of a page that people are led to, or none: never one that runs in the page itself. */
export const WebAddress = text(500).refine(
  (value) => value === '' || /^https?:\/\/[^\s/]/i.test(value),
  'an address that begins with http:// or https://',
)
