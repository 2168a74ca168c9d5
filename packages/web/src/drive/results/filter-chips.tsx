// The filters of a search as chips: each has its value, a menu to change it, and a cross to remove it ([R241]).

import { type ReactNode, type SubmitEvent, useId, useState } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { showMenu } from '../../core/menu/menu.ts'
import { Button } from '../../kit/button.tsx'
import { ChevronDown12Regular, Dismiss12Regular } from '../../kit/icons.ts'
import {
  type FilterDimension,
  filterDimensions,
  isFilterSet,
  isOfferedTime,
  megabyte,
  sizeOf,
} from '../search/search-query.ts'
import { dateOf, filterChoices, filterValueLabel, startOf } from './filter-labels.ts'
import type { SearchOnPage } from './use-search.ts'

const dayMs = 24 * 60 * 60_000

export function FilterChips({ search }: { readonly search: SearchOnPage }): ReactNode {
  const t = useT()
  const { query, tags, choose, go } = search
  const [range, setRange] = useState<'time' | 'size'>()
  const open = (dim: FilterDimension, at: DOMRect): void => {
    const now = filterValueLabel(query, dim, search, t)
    const entries = filterChoices(dim, query, search, t).map(({ key, label, change }) => ({
      id: key,
      label,
      checked: key === 'all' ? !isFilterSet(query, dim) : label === now,
      run: () => choose(dim, change),
    }))
    const own =
      dim === 'time' || dim === 'size'
        ? [{ separator: true as const }, { id: 'range', label: t(`search.range.${dim}`), run: () => setRange(dim) }]
        : []
    void showMenu([...entries, ...own], { x: at.left, y: at.bottom + 4 })
  }
  return (
    <>
      <div className="dr-chips">
        {filterDimensions.map((dim) => {
          const on = isFilterSet(query, dim)
          // Without tags there is nothing to choose.
          if (dim === 'tag' && !on && tags.length === 0) return null
          return (
            <span key={dim} className={on ? 'dr-chip is-on' : 'dr-chip'}>
              <button
                type="button"
                aria-haspopup="menu"
                onClick={(event) => open(dim, event.currentTarget.getBoundingClientRect())}
              >
                {t(`search.dim.${dim}`)} <b>{filterValueLabel(query, dim, search, t)}</b>
                {!on && <ChevronDown12Regular />}
              </button>
              {on && (
                <button
                  type="button"
                  aria-label={t('search.remove', { dim: t(`search.dim.${dim}`) })}
                  onClick={() => choose(dim, dim === 'scope' ? { scope: 'all' } : {})}
                >
                  <Dismiss12Regular />
                </button>
              )}
            </span>
          )
        })}
        {filterDimensions.some((dim) => isFilterSet(query, dim)) && (
          <Button
            kind="link"
            size="small"
            onClick={() => go({ keyword: query.keyword, scope: 'all', ...(query.sort && { sort: query.sort }) })}
          >
            {t('search.clear')}
          </Button>
        )}
      </div>
      {range !== undefined && <Range key={range} dim={range} search={search} onEnd={() => setRange(undefined)} />}
    </>
  )
}

interface RangeProps {
  readonly dim: 'time' | 'size'
  readonly search: SearchOnPage
  readonly onEnd: () => void
}

/** A range of days or sizes. */
function Range({ dim, search: { query, choose }, onEnd }: RangeProps): ReactNode {
  const t = useT()
  const id = useId()
  const { timeFrom, timeTo, sizeFrom, sizeTo } = query
  const isTime = dim === 'time'
  const given = isTime
    ? isOfferedTime(query)
      ? []
      : [timeFrom && dateOf(timeFrom), timeTo && dateOf(timeTo - dayMs / 2)]
    : sizeOf(query) !== undefined
      ? []
      : [sizeFrom && String(sizeFrom / megabyte), sizeTo && String(sizeTo / megabyte)]
  const [from, setFrom] = useState(given[0] || '')
  const [to, setTo] = useState(given[1] || '')
  const apply = (event: SubmitEvent): void => {
    event.preventDefault()
    onEnd()
    if (isTime) {
      const [since, last] = [startOf(from), startOf(to)]
      choose(dim, {
        ...(since !== undefined && { timeFrom: since }),
        ...(last !== undefined && { timeTo: startOf(dateOf(last + 1.5 * dayMs)) ?? last + dayMs }),
      })
    } else {
      const bytes = (text: string): number | undefined =>
        text.trim() === '' || !Number.isFinite(Number(text))
          ? undefined
          : Math.round(Math.max(0, Number(text)) * megabyte)
      const [least, most] = [bytes(from), bytes(to)]
      choose(dim, { ...(least !== undefined && { sizeFrom: least }), ...(most !== undefined && { sizeTo: most }) })
    }
  }
  const type = isTime ? 'date' : 'number'
  return (
    <form className="dr-range" onSubmit={apply} onKeyDown={(event) => event.key === 'Escape' && onEnd()}>
      <span>{t(`search.dim.${dim}`)}</span>
      <label htmlFor={`${id}-from`}>{t('search.from')}</label>
      <span className="k-input">
        <input
          id={`${id}-from`}
          type={type}
          min={0}
          step="any"
          value={from}
          autoFocus
          onChange={({ target }) => setFrom(target.value)}
        />
      </span>
      <label htmlFor={`${id}-to`}>{t('search.to')}</label>
      <span className="k-input">
        <input
          id={`${id}-to`}
          type={type}
          min={0}
          step="any"
          value={to}
          onChange={({ target }) => setTo(target.value)}
        />
      </span>
      {!isTime && <span>{t('search.megabytes')}</span>}
      <Button kind="primary" size="small" type="submit">
        {t('search.apply')}
      </Button>
    </form>
  )
}
