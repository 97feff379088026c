package regular

// notWaiting is nothing in a browser, which has no pipes.
const notWaiting = 0
