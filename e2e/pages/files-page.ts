import type { Locator, Page } from 'playwright-core'

/** The files view with its surroundings: tree, search, uploads, toasts, dialogs. */
export class FilesPage {
  readonly page: Page
  readonly grid: Locator

  constructor(page: Page) {
    this.page = page
    this.grid = page.getByRole('grid')
  }

  /** The row of an item, in the files view and in the recycle bin. */
  row(name: string): Locator {
    return this.grid.getByRole('row').filter({ has: this.page.getByTitle(name, { exact: true }) })
  }

  /** The drawn rows from top to bottom, without the header. */
  rows(): Locator {
    return this.grid.locator('[aria-rowindex]')
  }

  names(): Promise<string[]> {
    return this.rows().evaluateAll((rows) =>
      rows
        .toSorted((a, b) => Number(a.ariaRowIndex) - Number(b.ariaRowIndex))
        .map((row) => row.querySelector('[title]')?.getAttribute('title') ?? ''),
    )
  }

  /** The grid of the folder, once it is shown. */
  folder(name: string): Locator {
    return this.page.getByRole('grid', { name, exact: true })
  }

  async open(name: string): Promise<void> {
    await this.row(name).getByTitle(name, { exact: true }).dblclick()
  }

  async openFolder(name: string): Promise<void> {
    await this.open(name)
    await this.folder(name).waitFor()
  }

  /** Opens a library or folder from the tree. */
  async goTo(name: string): Promise<void> {
    await this.page.getByRole('treeitem', { name, exact: true }).click()
    await this.folder(name).waitFor()
  }

  async select(...names: string[]): Promise<void> {
    for (const [i, name] of names.entries()) {
      const modifiers: 'Control'[] = i === 0 ? [] : ['Control']
      await this.row(name).getByTitle(name, { exact: true }).click({ modifiers })
    }
  }

  /** Chooses an entry of a row's menu. */
  async choose(name: string, entry: string): Promise<void> {
    await this.row(name).getByTitle(name, { exact: true }).click({ button: 'right' })
    await (await this.entry(entry)).click()
  }

  /** An entry of the open menu or of its submenu, which is opened if needed. */
  async entry(name: string | RegExp): Promise<Locator> {
    const menu = this.page.getByRole('menu')
    await menu.first().waitFor()
    const entry = menu.getByRole('menuitem', { name, exact: true })
    for (const further of await menu.locator('[aria-haspopup]').all()) {
      if ((await entry.count()) > 0) break
      await further.click()
      // The pointer may have opened it already by hovering.
      await further.and(this.page.locator('[aria-expanded=true]')).waitFor()
    }
    return entry
  }

  /** Resolves when the strip above the rows shows this number of selected items. */
  async expectChosen(count: number): Promise<void> {
    const words = `已选 ${count.toLocaleString('zh-CN')} 项`
    await this.page
      .getByRole('toolbar')
      .getByText(new RegExp(`^${words}( ·|$)`))
      .waitFor()
  }

  /** The rename field of the selected row. */
  get nameField(): Locator {
    return this.page.getByRole('textbox', { name: '重命名' })
  }

  get search(): Locator {
    return this.page.getByRole('combobox', { name: '搜索文件和文件夹' })
  }

  /** Opens the search palette, whatever has the focus. */
  async openSearch(): Promise<Locator> {
    await this.page.getByRole('button', { name: /^搜索名称、内容、同事或命令/ }).click()
    return this.search
  }

  /** The search hit with this name. */
  hit(name: string): Locator {
    return this.page.getByRole('option').filter({ has: this.page.getByTitle(name, { exact: true }) })
  }

  dialog(name: string): Locator {
    return this.page.getByRole('dialog', { name })
  }

  get toasts(): Locator {
    return this.page.getByRole('region', { name: '通知' })
  }

  /** The transfers panel. */
  get transfers(): Locator {
    return this.page.getByRole('region', { name: '传输', exact: true })
  }

  /** Drops files and folders from the disk on the list, like a desktop. */
  async drop(...paths: string[]): Promise<void> {
    // Near the lower edge of the files view: below the rows, or on the message of an empty folder.
    const box = await this.page.getByRole('main').boundingBox()
    if (box === null) throw new Error('there is nothing to drop on')
    const at = { x: box.x + box.width / 2, y: box.y + box.height - 80 }
    const data = { items: [], files: paths, dragOperationsMask: 1 }
    const client = await this.page.context().newCDPSession(this.page)
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
      await client.send('Input.dispatchDragEvent', { type, ...at, data })
    }
    await client.detach()
  }

  /** Uploads through the file input behind the button. */
  async chooseFiles(files: { name: string; mimeType: string; buffer: Buffer }[] | string[]): Promise<void> {
    const chooser = this.page.waitForEvent('filechooser')
    await this.page.getByRole('button', { name: '上传', exact: true }).click()
    await this.page.getByRole('menuitem', { name: '上传文件', exact: true }).click()
    await (await chooser).setFiles(files)
  }
}
