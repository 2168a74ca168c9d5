// The tests run with an English browser: the product is Chinese in it until somebody chooses English ([R002]).
Object.defineProperty(navigator, 'language', { value: 'en-US', configurable: true })
