import { type ReactNode, useState } from 'react'
import { Button } from '../../kit/button.tsx'
import { DialogBody, DialogFooter } from '../../kit/dialog.tsx'
import { Checkbox } from '../../kit/fields.tsx'
import { CheckmarkCircle24Regular, Info24Regular, QuestionCircle24Regular, Warning24Regular } from '../../kit/icons.ts'
import { useT } from '../i18n/i18n.ts'
import type { Tone } from '../toast/toast.ts'
import type { WindowProps } from './index.ts'
import './message-box.css'

export interface BoxButton {
  readonly id: string
  readonly text: string
  readonly kind?: 'primary' | 'danger'
}

export interface BoxProps {
  readonly title?: string
  readonly icon?: Tone | 'question'
  readonly text: string
  /** A second, less prominent line. */
  readonly detail?: string
  readonly checkbox?: { readonly label: string; readonly checked?: boolean }
  /** Enter presses the last one. Default: one OK button. */
  readonly buttons?: readonly BoxButton[]
  /** Only its buttons close it. */
  readonly locked?: boolean
}

export interface BoxAnswer {
  /** Undefined if it was closed without a button. */
  readonly button: string | undefined
  readonly checked: boolean
}

const icons = {
  info: <Info24Regular />,
  success: <CheckmarkCircle24Regular />,
  warning: <Warning24Regular />,
  error: <Warning24Regular />,
  question: <QuestionCircle24Regular />,
} as const

/** The content of a message box ([R083]). */
export function MessageBox(props: WindowProps<BoxProps, BoxAnswer>): ReactNode {
  const { icon = 'info', text, detail, checkbox, buttons, close } = props
  const t = useT()
  const [checked, setChecked] = useState(checkbox?.checked ?? false)
  const shown = buttons ?? [{ id: 'ok', text: t('box.ok'), kind: 'primary' as const }]
  // Enter must not confirm a destructive action: if there is one, the first button has the focus.
  const focused = shown.some(({ kind }) => kind === 'danger') ? 0 : shown.length - 1
  return (
    <>
      <DialogBody>
        <div className="box">
          <span className={`box-icon is-${icon}`}>{icons[icon]}</span>
          <div className="box-words">
            <p className="box-text">{text}</p>
            {detail !== undefined && <p className="box-detail">{detail}</p>}
            {checkbox && (
              <Checkbox
                label={checkbox.label}
                checked={checked}
                onChange={(event) => setChecked(event.target.checked)}
              />
            )}
          </div>
        </div>
      </DialogBody>
      <DialogFooter>
        {shown.map(({ id, text: label, kind }, i) => (
          <Button
            key={id}
            {...(kind && { kind })}
            autoFocus={i === focused}
            onClick={() => close({ button: id, checked })}
          >
            {label}
          </Button>
        ))}
      </DialogFooter>
    </>
  )
}
