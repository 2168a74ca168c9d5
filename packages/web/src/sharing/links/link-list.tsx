// cloudoc-link-list ([R226]): the links to one file or folder.
import type { ExternalLink } from '@cloudoc/contract'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { openWindow, type WindowProps } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { FilterChips } from '../../kit/chips.tsx'
import { DialogFooter } from '../../kit/dialog.tsx'
import { Add16Regular } from '../../kit/icons.ts'
import { Spinner } from '../../kit/spinner.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import { type LinkState, linkStates, linksOf, type OfItem } from './link-queries.ts'
import { isIn, LinkTable } from './link-table.tsx'
import './links.css'
import './link-texts.ts'

export interface LinkListProps {
  readonly item: OfItem
}

export function LinkList({ item, close }: WindowProps<LinkListProps>): ReactNode {
  const t = useT()
  const { data, error, refetch } = useQuery(linksOf(item))
  const [state, setState] = useState<LinkState>('all')
  const own: readonly ExternalLink[] = data?.list.filter(({ mayManage }) => mayManage) ?? []
  const others = (data?.list.length ?? 0) - own.length
  const shown = own.filter((link) => isIn(link, state))
  return (
    <>
      <div className="sl-list">
        <header>
          <FilterChips
            label={t('links.state')}
            value={state}
            options={linkStates.map((value) => ({
              value,
              label: `${t(`links.state.${value}`)} ${own.filter((link) => isIn(link, value)).length}`,
            }))}
            onChange={setState}
          />
          <Button
            kind="primary"
            size="small"
            icon={<Add16Regular />}
            onClick={() => void openWindow('cloudoc-link-create', { item })}
          >
            {t('links.menu.new')}
          </Button>
        </header>
        {error !== null ? (
          <StatePage title={t('links.notLoaded')} text={error.message}>
            <Button onClick={() => void refetch()}>{t('drive.retry')}</Button>
          </StatePage>
        ) : data === undefined ? (
          <Spinner label={t('links.loading')} />
        ) : shown.length === 0 ? (
          <StatePage title={t('links.nothingHere')} text={t('links.nothingHere.more')} />
        ) : (
          <LinkTable links={shown} />
        )}
      </div>
      <DialogFooter>
        <span className="sl-left">{others > 0 ? t('links.list.others', { n: others }) : t('links.list.hint')}</span>
        <Button onClick={() => close()}>{t('drive.close')}</Button>
      </DialogFooter>
    </>
  )
}
