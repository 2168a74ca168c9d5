// One notice in a digest mail: the sentence that its push declares, and a link.
import type { NoticeGroup, PushCatalogue } from '@cloudoc/contract'
import type { Locale } from '@cloudoc/domain'
import { groups } from './texts.ts'

/** One notice in a mail. */
export interface Line {
  readonly text: string
  /** The target of its link. */
  readonly path: string
}

/** The page of all notices. */
export const listPath = '/notify/list'

interface Told {
  readonly pushType: number
  readonly group: NoticeGroup
  readonly payload: object
}

/** Returns the line of one notice. A push that these do not have is described by its group. */
export function lineOf(pushes: PushCatalogue, { pushType, group, payload }: Told, locale: Locale): Line {
  const rule = Object.values(pushes).find(({ type }) => type === pushType)?.notice
  if (rule === undefined) return { text: groups[group][locale], path: `${listPath}?group=${group}` }
  const sentence = rule.sentence(payload)
  const values = sentence.values ?? {}
  const said = sentence[locale].replace(/\{(\w+)\}/g, (_hole, name: string) => String(values[name] ?? ''))
  const message = rule.message?.(payload) ?? ''
  return {
    text: `${[rule.actor?.(payload), said].filter(Boolean).join(' ')}${message === '' ? '' : ` · ${message}`}`,
    path: rule.path?.(payload) ?? listPath,
  }
}
