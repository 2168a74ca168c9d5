// The field that renames a row. The part before the extension is selected. Errors of the server or of the name rules
// are shown below the field, and the text stays.
import { splitName } from '@cloudoc/domain'
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { CallError } from '../../../core/call/api.ts'
import { t } from '../../../core/i18n/i18n.ts'
import { deferPrompts } from '../../../core/session/prompt-deferral.ts'
import { confirmBox } from '../../../core/windows/boxes.ts'
import { nameProblem } from '../../../items/actions/operations.ts'
import { isComposing } from '../../../kit/keys.ts'
import './name-field.css'

interface NameFieldProps {
  readonly name: string
  readonly isFolder: boolean
  /** Whether another row has the name. */
  readonly isTaken: (name: string) => boolean
  readonly onSave: (name: string) => Promise<void>
  /** `isConfirmed` is true if the user pressed Enter. */
  readonly onEnd: (isConfirmed: boolean) => void
}

export function NameField({ name, isFolder, isTaken, onSave, onEnd }: NameFieldProps): ReactNode {
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState(name)
  const [problem, setProblem] = useState<string>()
  const busy = useRef(false)
  /** The new name is sent but not answered yet. */
  const [isSent, setIsSent] = useState(false)
  const release = useRef<() => void>(undefined)

  useEffect(() => {
    release.current = deferPrompts()
    return () => release.current?.()
  }, [])

  useLayoutEffect(() => {
    const field = input.current
    if (field === null) return
    field.focus({ preventScroll: true })
    field.setSelectionRange(0, isFolder ? name.length : splitName(name).base.length)
  }, [name, isFolder])

  const problemOf = (value: string): string | undefined =>
    nameProblem(value) ?? (isTaken(value) ? t('drive.name.alreadyExists') : undefined)

  const save = async (leaving: boolean): Promise<void> => {
    if (busy.current) return
    const value = text.trim()
    if (value === name || (leaving && problemOf(value) !== undefined)) return onEnd(!leaving)
    const refused = problemOf(value)
    if (refused !== undefined) return setProblem(refused)
    busy.current = true
    release.current?.()
    try {
      const [before, after] = [splitName(name).ext, splitName(value).ext]
      if (!isFolder && before.toLowerCase() !== after.toLowerCase()) {
        const yes = await confirmBox({
          title: t('drive.name.extension.title'),
          text: t('drive.name.extension.text', { before: before || '—', after: after || '—' }),
          ok: t('drive.name.extension.ok'),
        })
        if (!yes) return input.current?.focus()
      }
      setIsSent(true)
      await onSave(value)
      onEnd(!leaving)
    } catch (error) {
      setProblem(error instanceof CallError ? error.message : t('drive.failed'))
      if (input.current === null) return
      release.current = deferPrompts()
      input.current.focus()
    } finally {
      busy.current = false
      setIsSent(false)
    }
  }

  return (
    <span className="dr-name-field">
      <input
        ref={input}
        value={text}
        aria-label={t('drive.rename')}
        aria-invalid={problem !== undefined}
        aria-busy={isSent}
        readOnly={isSent}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => {
          setText(event.target.value)
          setProblem(event.target.value === name ? undefined : problemOf(event.target.value))
        }}
        onKeyDown={(event) => {
          event.stopPropagation()
          // The Enter that ends a composition belongs to the input method.
          if (isComposing(event)) return
          if (event.key === 'Enter') void save(false)
          else if (event.key === 'Escape') onEnd(false)
        }}
        onBlur={() => void save(true)}
        onClick={(event) => event.stopPropagation()}
        onDoubleClick={(event) => event.stopPropagation()}
        onMouseDown={(event) => event.stopPropagation()}
      />
      {problem !== undefined && (
        <span className="dr-name-problem" role="alert">
          {problem}
        </span>
      )}
    </span>
  )
}
