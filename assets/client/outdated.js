// Whether the page still shows what the person may see and do. If not, the page is opened again (`reopen.js`).

export const pageState = {
  // Whether the server has answered 404 for the page. If so, the page shows the error page in place of its content.
  isMissing: false,
  // Whether the page is out of date, and waits for the person to press the button that opens it again.
  isOutdated: false,
};

let reopenOutdated = null;

// Sets the function that opens the page again.
export const setReopen = (act) => { reopenOutdated = act; };

// Opens the page again, so that it shows what the person may see and do now.
export const openAgain = () => reopenOutdated();
