// The secret levels of this server for display: each has a name and a colour ([R232]).
import { type SecretColour, secretUntil } from '@cloudoc/domain'
import type { ReactNode } from 'react'
import { type Translate, useT } from '../../core/i18n/i18n.ts'
import { type Session, useSession } from '../../core/session/session.ts'
import './levels.css'
import { StatusChip } from '../../kit/chips.tsx'

/** A secret level, its duration and the unit of the duration ([R232]). */
export interface SecretChoice {
  readonly secretLevel: number
  readonly duration: number
  readonly unit: 0 | 1 | 2 | 3
}

export interface SecretLevel {
  readonly level: number
  readonly name: string
  readonly colour: SecretColour
}

/** Returns all levels, starting with "open to all". */
export function levelsOf({ serverSetting }: Pick<Session, 'serverSetting'>, t: Translate): readonly SecretLevel[] {
  const { secret_names: names, secret_colours: colours } = serverSetting
  return [t('drive.secret.open'), ...names].map((name, level) => ({
    level,
    name,
    colour: level === 0 ? 'grey' : (colours[level - 1] ?? colours.at(-1) ?? 'grey'),
  }))
}

export function useLevels(): readonly SecretLevel[] {
  return levelsOf(useSession(), useT())
}

/** The icon of a level before its name. */
export function LevelSign({ colour }: { readonly colour: SecretColour }): ReactNode {
  return <i className="dr-level" data-colour={colour} aria-hidden="true" />
}

interface TagProps {
  readonly level: number
  readonly name: string
}

/** The tag with the secret level of a file in a list. Renders nothing for a file without a level. */
export const LevelTag = (props: TagProps): ReactNode => (props.level === 0 ? null : <Tag {...props} />)

function Tag({ level, name }: TagProps): ReactNode {
  const levels = useLevels()
  return (
    <StatusChip>
      <span className="dr-level-tag">
        <LevelSign colour={levels[level]?.colour ?? 'grey'} />
        {name}
      </span>
    </StatusChip>
  )
}

/** Returns the duration of a choice as text. */
export function durationText(t: Translate, { duration, unit }: Pick<SecretChoice, 'duration' | 'unit'>): string {
  if (duration === 0 || unit === 0) return t('drive.secret.unlimited')
  return t(`drive.secret.for.${unit}`, { n: duration })
}

/** Returns the day on which a choice made now expires. Undefined: never. */
export function endOf({ duration, unit }: SecretChoice): string | undefined {
  const until = secretUntil(Date.now(), duration, unit)
  if (until === null) return undefined
  const end = new Date(until)
  const two = (n: number): string => String(n).padStart(2, '0')
  return `${end.getFullYear()}-${two(end.getMonth() + 1)}-${two(end.getDate())}`
}
