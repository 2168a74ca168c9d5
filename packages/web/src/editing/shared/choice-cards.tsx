// A radio group of options, each with a description, for the editing dialogs.
import type { ReactNode } from 'react'
import './edit-dialogs.css'

interface ChoiceCardsProps<Id extends string> {
  readonly label: string
  readonly choices: readonly { readonly id: Id; readonly text: string; readonly more: string }[]
  readonly choice: Id
  readonly onChoose: (id: Id) => void
}

export function ChoiceCards<Id extends string>(props: ChoiceCardsProps<Id>): ReactNode {
  const { label, choices, choice, onChoose } = props
  return (
    <div className="ed-choices" role="radiogroup" aria-label={label}>
      {choices.map(({ id, text, more }) => (
        <label key={id}>
          <input type="radio" name={label} checked={choice === id} onChange={() => onChoose(id)} />
          <b>{text}</b>
          <small>{more}</small>
        </label>
      ))}
    </div>
  )
}
