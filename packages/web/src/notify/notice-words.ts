// What the page shows of a notice in words. The sentence is declared by its push; its area adds the rest.
import { noticeView } from '../core/area/area.ts'
import { inLocale, t } from '../core/i18n/i18n.ts'
import { pushOf, ruleOf, type StoredNotice } from '../core/notices/notice-groups.ts'

type Told = Pick<StoredNotice, 'pushType' | 'data'>

/** The words of a notice in the current language. A push of another version has only a general sentence. */
export function noticeWords({ pushType, data }: Told): {
  readonly actor: string
  readonly sentence: string
  readonly detail: string
} {
  const rule = ruleOf(pushType)
  if (rule === undefined) return { actor: '', sentence: t('notify.unknown'), detail: '' }
  const view = noticeView(pushOf({ pushType }))
  return {
    actor: rule.actor?.(data) ?? '',
    sentence: `${inLocale(rule.sentence(data))}${view?.addition?.(data) ?? ''}`,
    detail: view?.detail?.(data) ?? rule.message?.(data) ?? '',
  }
}

/** The address that a notice leads to. */
export function noticePath({ pushType, data }: Told): string | undefined {
  return ruleOf(pushType)?.path?.(data)
}
