// The path bar: back, forward, up, and the path from the library to the current folder. Each path element is a drop
// target.

import type { ItemRecord } from '@cloudoc/contract'
import { Fragment, type ReactNode, useState } from 'react'
import { useNavigate } from 'react-router'
import { useT } from '../../../core/i18n/i18n.ts'
import { isolated } from '../../../core/i18n/isolate.ts'
import { showMenu } from '../../../core/menu/menu.ts'
import { copyText } from '../../../core/page/copy-text.ts'
import { goBack, goForward, useHistoryPlace } from '../../../core/page/navigation-history.ts'
import { useServerName } from '../../../core/session/linked-servers.ts'
import type { ActionContext } from '../../../items/actions/actions.ts'
import { FolderIcon } from '../../../items/item/file-icon.tsx'
import { folderPath, keyOf } from '../../../items/item/item.ts'
import { copyAddress, publicAddress } from '../../../items/item/public-address.ts'
import { type FolderInfo, folderName, primeFolder } from '../../../items/lists/folder-queries.ts'
import { type ItemCount, itemCountText } from '../../../items/lists/item-count.ts'
import { subfoldersOf } from '../../../items/lists/lists.ts'
import { IconButton } from '../../../kit/button.tsx'
import {
  ArrowUp20Regular,
  ChevronLeft20Regular,
  ChevronRight12Regular,
  ChevronRight20Regular,
  Grid20Regular,
  Image20Regular,
  Info20Regular,
  Server16Regular,
  TextBulletList20Regular,
} from '../../../kit/icons.ts'
import { allowDrop, performDrop, planDrop, useSpring } from '../../drag/drag.ts'
import { type ViewMode, viewModes } from '../grid/view-mode.ts'
import { PathField } from './path-field.tsx'
import './path-bar.css'

interface PathBarProps {
  /** The server of the folder. */
  readonly serverId: number
  readonly info: FolderInfo | undefined
  /** The folder cannot be shown: it has no path and no view options. */
  readonly lost: boolean
  /** The number of items, and the total if a filter is set. */
  readonly found: ItemCount
  /** Whether the number of items is known. */
  readonly known: boolean
  readonly context: ActionContext
  readonly onUp: () => void
  readonly view: ViewMode
  readonly onView: (mode: ViewMode) => void
  readonly panel: boolean
  readonly onPanel: () => void
  /** Whether the path is shown as a text field. */
  readonly editing: boolean
  readonly onEditing: (editing: boolean) => void
}

/** The maximum number of folders in the menu of a separator. */
const mostSiblings = 30
/** The number of path elements that are shown before the path is shortened in the middle. */
const shownSteps = 5

const namesOf = (steps: readonly ItemRecord[]): string => steps.map((step) => isolated(folderName(step))).join(' › ')

/** The bar above the files. */
export function PathBar(props: PathBarProps): ReactNode {
  const { serverId, info, lost, found, known, context, onUp, view, onView, panel, onPanel, editing, onEditing } = props
  const t = useT()
  const navigate = useNavigate()
  const [drop, setDrop] = useState<number>()
  const spring = useSpring()
  const serverName = useServerName(serverId)
  const steps = info === undefined ? [] : [...info.ancestors, info.folder]
  const hidden = Math.max(0, steps.length - shownSteps)
  const shown = hidden === 0 ? steps : [...steps.slice(0, 1), ...steps.slice(hidden + 1)]
  const { canGoBack, canGoForward } = useHistoryPlace()
  const isTop = info === undefined || (info.ancestors.length === 0 && info.folder.parentFolderId >= 0)

  const goTo = (folder: ItemRecord): void => {
    const at = steps.indexOf(folder)
    if (at >= 0) primeFolder({ folder, ancestors: steps.slice(0, at) })
    void navigate(folderPath(folder))
  }

  return (
    <div className="dr-path-bar">
      <IconButton
        label={t('drive.back')}
        hint="Alt+←"
        icon={<ChevronLeft20Regular />}
        disabled={!canGoBack}
        onClick={goBack}
      />
      <IconButton
        label={t('drive.forward')}
        hint="Alt+→"
        icon={<ChevronRight20Regular />}
        disabled={!canGoForward}
        onClick={goForward}
      />
      <IconButton label={t('drive.up')} hint="Alt+↑" icon={<ArrowUp20Regular />} disabled={isTop} onClick={onUp} />
      {editing ? (
        <PathField
          path={steps.map(folderName).join(' / ')}
          on={{ serverId }}
          onGo={(folder) => {
            onEditing(false)
            void navigate(folderPath(folder))
          }}
          onEnd={() => onEditing(false)}
        />
      ) : (
        <nav
          className="dr-path"
          aria-label={t('drive.path')}
          title={t('drive.path.edit')}
          onClick={(event) => {
            if (!(event.target instanceof Element && event.target.closest('button, b') !== null)) onEditing(true)
          }}
          onContextMenu={(event) => {
            event.preventDefault()
            if (info === undefined) return
            const link = publicAddress(folderPath(info.folder))
            const copies = [
              { id: 'path', label: t('drive.path.copy'), run: () => void copyText(steps.map(folderName).join(' / ')) },
              { id: 'link', label: t('drive.path.copyLink'), run: () => void copyAddress(link) },
            ]
            void showMenu(copies, { x: event.clientX, y: event.clientY })
          }}
        >
          {serverName === '' ? (
            <FolderIcon size={16} />
          ) : (
            <span className="dr-path-server" title={t('linked.server', { name: serverName })}>
              <Server16Regular />
              {serverName}
            </span>
          )}
          <ol>
            {lost && info === undefined && (
              <li className="is-here">
                <b aria-current="page">{t('drive.path.lost')}</b>
              </li>
            )}
            {shown.map((step, i) => {
              const isHere = step === info?.folder
              return (
                <Fragment key={step.fId}>
                  {i > 0 && !(hidden > 0 && i === 1) && (
                    <Siblings above={steps[steps.indexOf(step) - 1]} here={step} onGo={goTo} />
                  )}
                  {hidden > 0 && i === 1 && (
                    <>
                      <li title={namesOf(steps.slice(1, hidden + 1))}>…</li>
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
                        onClick={() => goTo(step)}
                        onDragOver={(event) => {
                          const plan = planDrop(event, step, context)
                          allowDrop(event, plan)
                          setDrop(plan?.reason === undefined && plan !== undefined ? step.fId : undefined)
                          if (plan !== undefined) spring.rest(keyOf(step), () => void navigate(folderPath(step)))
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
          {known && <span className="dr-path-count">{itemCountText(found, t)}</span>}
        </nav>
      )}
      {!lost && <Views view={view} onView={onView} panel={panel} onPanel={onPanel} />}
    </div>
  )
}

const viewIcons: Readonly<Record<ViewMode, ReactNode>> = {
  list: <TextBulletList20Regular />,
  grid: <Grid20Regular />,
  gallery: <Image20Regular />,
}

/** The buttons of the views and of the info panel. */
function Views({
  view,
  onView,
  panel,
  onPanel,
}: Pick<PathBarProps, 'view' | 'onView' | 'panel' | 'onPanel'>): ReactNode {
  const t = useT()
  return (
    <div className="dr-views" role="group" aria-label={t('drive.view')}>
      {viewModes.map((mode, i) => (
        <IconButton
          key={mode}
          label={t(`drive.view.${mode}`)}
          hint={`Alt+${i + 1}`}
          icon={viewIcons[mode]}
          pressed={view === mode}
          onClick={() => onView(mode)}
        />
      ))}
      <IconButton label={t('drive.info')} hint="Alt+P" icon={<Info20Regular />} pressed={panel} onClick={onPanel} />
    </div>
  )
}

interface SiblingsProps {
  readonly above: ItemRecord | undefined
  readonly here: ItemRecord
  readonly onGo: (folder: ItemRecord) => void
}

/** The separator between two path elements. Its menu lists the sibling folders of the next element. */
function Siblings({ above, here, onGo }: SiblingsProps): ReactNode {
  const t = useT()
  const open = async (element: HTMLElement): Promise<void> => {
    if (above === undefined) return
    const list = subfoldersOf(above)
    if (list.snapshot().status !== 'ready') await list.refresh()
    const folders = list.snapshot().items.filter((item) => item !== undefined)
    const { left, bottom } = element.getBoundingClientRect()
    const entries = folders.slice(0, mostSiblings).map((folder) => ({
      id: String(folder.fId),
      label: folderName(folder),
      checked: folder.fId === here.fId,
      run: () => onGo(folder),
    }))
    await showMenu(entries, { x: left, y: bottom + 4 })
  }
  return (
    <li className="dr-path-mark">
      <button
        type="button"
        aria-haspopup="menu"
        aria-label={t('drive.path.siblings', { name: above === undefined ? '' : folderName(above) })}
        onClick={(event) => void open(event.currentTarget)}
      >
        <ChevronRight12Regular />
      </button>
    </li>
  )
}
