// Checks for mistakes in area declarations that the compiler cannot detect.
import type { Area } from '../src/core/area/area.ts'
import { pressOf } from '../src/core/menu/action.ts'

const holes = (text: string): string =>
  [...text.matchAll(/\{(\w+)\}/g)]
    .map((match) => match[1] ?? '')
    .sort()
    .join()
const repeated = (all: readonly string[]): string[] => [...new Set(all.filter((one, i) => all.indexOf(one) !== i))]

/** All faults of these areas, one line each. */
export async function faultsOf(areas: readonly Area[], modules: readonly string[]): Promise<string[]> {
  const faults: string[] = []
  const no = (found: readonly string[], what: string): void => {
    faults.push(...found.map((one) => `${one} ${what}`))
  }
  type Table = Readonly<Partial<Record<string, string>>>
  const zh: Table = Object.fromEntries(areas.flatMap(({ texts }) => Object.entries(texts.zh)))
  const english = await Promise.all(
    areas.map(async ({ texts }) => (typeof texts.en === 'function' ? await texts.en() : texts.en)),
  )
  const en: Table = Object.fromEntries(english.flatMap((texts) => Object.entries(texts)))
  /** English has singular forms, Chinese does not. */
  const manyOf = (key: string): string => (key in zh ? key : key.replace(/_one$/, ''))
  const keys = [...new Set([...Object.keys(zh), ...Object.keys(en)])]
  no(
    keys.filter((key) => !zh[manyOf(key)]?.trim() || !en[key]?.trim()),
    'is not said in both languages',
  )
  no(
    keys.filter((key) => key in zh && holes(zh[key] ?? '') !== holes(en[key] ?? '')),
    'names other values in English',
  )
  no(
    Object.keys(en).filter((key) => !(key in zh) && !holes(en[manyOf(key)] ?? '').includes(holes(en[key] ?? ''))),
    'names other values for one than for many',
  )
  no(
    keys.filter((key) => key !== 'locale.zh' && /\p{Script=Han}/u.test(en[key] ?? '')),
    'has Chinese in English',
  )
  no(repeated(areas.flatMap(({ texts }) => Object.keys(texts.zh))), 'is a text of two areas')

  const windows = areas.flatMap((area) => Object.entries(area.windows ?? {}))
  no(repeated(windows.map(([name]) => name)), 'is a window of two areas')
  no(
    windows.flatMap(([name, window]) => ('sample' in window && 'load' in window ? [] : [name])),
    'is no window with a sample',
  )

  const actions = areas.flatMap(({ menu = [] }) => menu)
  no(
    actions.filter(({ modules: own }) => own.some((module) => !modules.includes(module))).map(({ id }) => id),
    'is offered in a list that is none',
  )
  no(
    actions.filter(({ keys: own, help, modules: [module] }) => own && !help && module === 'files').map(({ id }) => id),
    'has keys that the help does not list',
  )
  for (const module of modules) {
    const here = actions.filter((action) => action.modules.includes(module))
    no(repeated(here.map(({ id }) => id)), `is two actions of ${module}`)
    const presses = here.flatMap(({ keys: own = [] }) => own.map((written) => JSON.stringify(pressOf(written))))
    no(repeated(presses), `are the keys of two actions of ${module}`)
  }

  const routes = areas.flatMap((area) => area.routes ?? [])
  const addresses = routes.map(({ path }) => (path.startsWith('/') ? path : `/doc/folder/${path}`))
  const rail = areas.flatMap((area) => area.rail ?? [])
  no(repeated(addresses), 'is the address of two pages')
  const administration = await Promise.all(areas.map(async (area) => (await area.adminPages?.()) ?? []))
  no(repeated(administration.flat().map(({ page }) => `/doc/admin/${page}`)), 'is the address of two pages')
  no(
    rail
      .filter(({ path }) => !addresses.some((address) => address.replace(/\/\*$/, '') === path))
      .map(({ path }) => path),
    'stands in the rail and leads nowhere',
  )
  no(
    [...actions, ...rail].map(({ label }) => label).filter((label) => !(label in zh)),
    'is no text',
  )
  return faults
}
