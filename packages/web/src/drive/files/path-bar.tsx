// Back, forward, up, and the way from the library to this folder; each step takes drops.
import {
  ArrowUp20Regular,
  ChevronLeft20Regular,
  ChevronRight12Regular,
  ChevronRight20Regular,
} from '@fluentui/react-icons'
import { Fragment, type ReactNode, useState } from 'react'
import { useNavigate } from 'react-router'
import { useT } from '../../core/i18n.ts'
import { IconButton } from '../../kit/button.tsx'
import type { ActionContext } from '../actions.ts'
import { allowDrop, performDrop, planDrop, useSpring } from '../drag.ts'
import { FolderIcon } from '../file-icon.tsx'
import { folderPath, keyOf } from '../item.ts'
import { type FolderInfo, folderName, foresee } from './folder-data.ts'
import { useHistoryPlace } from './history-place.ts'

interface PathBarProps {
  readonly info: FolderInfo | undefined
  readonly total: number
  /** Whether the total is known. */
  readonly known: boolean
  readonly context: ActionContext
  readonly onUp: () => void
}

/** Steps shown before the path is shortened in its middle. */
const shownSteps = 5

/** The bar above the files. */
export function PathBar({ info, total, known, context, onUp }: PathBarProps): ReactNode {
  const t = useT()
  const navigate = useNavigate()
  const [drop, setDrop] = useState<number>()
  const spring = useSpring()
  const steps = info === undefined ? [] : [...info.ancestors, info.folder]
  const hidden = Math.max(0, steps.length - shownSteps)
  const shown = hidden === 0 ? steps : [...steps.slice(0, 1), ...steps.slice(hidden + 1)]
  const { canGoBack, canGoForward } = useHistoryPlace()
  const isTop = info === undefined || (info.ancestors.length === 0 && info.folder.parentFolderId >= 0)

  return (
    <div className="dr-path-bar">
      <IconButton
        label={t('drive.back')}
        hint="Alt+←"
        icon={<ChevronLeft20Regular />}
        disabled={!canGoBack}
        onClick={() => void navigate(-1)}
      />
      <IconButton
        label={t('drive.forward')}
        hint="Alt+→"
        icon={<ChevronRight20Regular />}
        disabled={!canGoForward}
        onClick={() => void navigate(1)}
      />
      <IconButton label={t('drive.up')} hint="Alt+↑" icon={<ArrowUp20Regular />} disabled={isTop} onClick={onUp} />
      <nav className="dr-path" aria-label={t('drive.path')}>
        <FolderIcon size={16} />
        <ol>
          {shown.map((step, i) => {
            const isHere = step === info?.folder
            return (
              <Fragment key={step.fId}>
                {i > 0 && (
                  <li aria-hidden="true" className="dr-path-mark">
                    <ChevronRight12Regular />
                  </li>
                )}
                {hidden > 0 && i === 1 && (
                  <>
                    <li
                      title={steps
                        .slice(1, hidden + 1)
                        .map(folderName)
                        .join(' › ')}
                    >
                      …
                    </li>
                    <li aria-hidden="true" className="dr-path-mark">
                      <ChevronRight12Regular />
                    </li>
                  </>
                )}
                <li className={isHere ? 'is-here' : ''}>
                  {isHere ? (
                    <b aria-current="page" title={folderName(step)}>
                      {folderName(step)}
                    </b>
                  ) : (
                    <button
                      type="button"
                      className={drop === step.fId ? 'is-drop' : ''}
                      title={folderName(step)}
                      onClick={() => {
                        foresee({ folder: step, ancestors: steps.slice(0, steps.indexOf(step)) })
                        void navigate(folderPath(step.fId))
                      }}
                      onDragOver={(event) => {
                        const plan = planDrop(event, step, context)
                        allowDrop(event, plan)
                        setDrop(plan?.reason === undefined && plan !== undefined ? step.fId : undefined)
                        if (plan !== undefined) spring.rest(keyOf(step), () => void navigate(folderPath(step.fId)))
                      }}
                      onDragLeave={() => {
                        spring.leave()
                        setDrop(undefined)
                      }}
                      onDrop={(event) => {
                        spring.leave()
                        setDrop(undefined)
                        performDrop(event, planDrop(event, step, context))
                      }}
                    >
                      {folderName(step)}
                    </button>
                  )}
                </li>
              </Fragment>
            )
          })}
        </ol>
        {known && <span className="dr-path-count">{t('drive.items', { n: total })}</span>}
      </nav>
    </div>
  )
}
