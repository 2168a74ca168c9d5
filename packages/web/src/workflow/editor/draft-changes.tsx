// What differs in a template: the question before publishing, and the banner when somebody else has published meanwhile.
import { fullTime, type Template, type TemplateChange, templateChanges } from '@cloudoc/domain'
import type { ReactNode } from 'react'
import type { Translate } from '../../core/i18n/i18n.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { isolated } from '../../core/i18n/isolate.ts'
import { Button } from '../../kit/button.tsx'

/** Changes that are named; of more only the number is told. */
const mostNamed = 12

function changeText(t: Translate, { of, what, id, name }: TemplateChange): string {
  if (of === 'rules') return t('workflow.change.rules')
  return t(`workflow.change.${of}.${what}`, { name: isolated(name === '' ? id : name) })
}

/** The differences in words, one a line. */
export function changesText(t: Translate, before: Template, after: Template): string {
  const changes = templateChanges(before, after)
  if (changes.length === 0) return t('workflow.change.none')
  const lines = changes.slice(0, mostNamed).map((one) => changeText(t, one))
  const rest = changes.length - lines.length
  return [...lines, ...(rest > 0 ? [t('workflow.change.more', { n: rest })] : [])].join('\n')
}

interface BehindProps {
  readonly by: string
  readonly at: number
  readonly version: number
  readonly base: Template | null
  readonly published: Template
  readonly busy: boolean
  readonly onKeepMine: () => void
  readonly onTakeTheirs: () => void
}

/** Somebody else has published since this draft was begun: who, when and what; and the two ways on. */
export function Behind(props: BehindProps): ReactNode {
  const { by, at, version, base, published, busy, onKeepMine, onTakeTheirs } = props
  const t = useT()
  return (
    <section className="we-behind" role="alert">
      <p>{t('workflow.behind', { name: isolated(by), time: fullTime(at), n: version })}</p>
      {base !== null && <p className="we-changes">{changesText(t, base, published)}</p>}
      <div>
        <Button disabled={busy} onClick={onTakeTheirs}>
          {t('workflow.behind.theirs', { n: version })}
        </Button>
        <Button kind="primary" disabled={busy} onClick={onKeepMine}>
          {t('workflow.behind.mine', { n: version })}
        </Button>
      </div>
    </section>
  )
}
