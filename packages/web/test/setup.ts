// The tests run with a Chinese browser, the product's main language.
Object.defineProperty(navigator, 'language', { value: 'zh-CN', configurable: true })
