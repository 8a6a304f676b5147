import PromisedProtocol
import SwiftProtobuf

/// Messages about the directory and the weather, with every field filled.
enum PlaceSamples {
    private typealias Values = SampleValues

    static let placeID = "01932a4e-0000-7000-8000-0000000000c1"
    static let favouriteID = "01932a4e-0000-7000-8000-0000000000c2"
    static let courseID = "01932a4e-0000-7000-8000-0000000000c3"

    private static let directoryPlace = WirePlace.with {
        $0 = Values.place
        $0.placeID = placeID
    }

    private static let box = WireBox.with {
        $0.south = 37.5
        $0.west = 179.5
        $0.north = 37.75
        $0.east = -179.25
    }

    private static let filter = WirePlaceFilter.with {
        $0.categories = ["market", "bookshop/used"]
        $0.regions = ["KR-11/종로구"]
        $0.sources = ["markets-kr"]
        $0.openAt = Values.timestamp()
        $0.favourites = true
    }

    private static let source = WirePlaceSource.with {
        $0.name = "markets-kr"
        $0.title = "전국전통시장표준데이터"
        $0.publisher = "소상공인시장진흥공단"
        $0.licence = "KOGL 1"
        $0.url = "https://www.data.go.kr/data/15012894"
        $0.date = "2026-10-01"
        $0.count = 1_372
    }

    private static let card = WirePlaceCard.with {
        $0.placeID = placeID
        $0.place = Values.place
        $0.categories = ["market/periodic"]
        $0.region = "KR-11/종로구"
        $0.opening = .closed
        $0.opensAt = Values.timestamp(60_000)
        $0.closesAt = Values.timestamp(120_000)
        $0.distanceMetres = 0
        $0.favouriteID = favouriteID
        $0.sourceName = "markets-kr"
        $0.removed = true
    }

    private static let cluster = WireCluster.with {
        $0.count = 12
        $0.latitude = 37.57
        $0.longitude = 126.98
        $0.box = box
        $0.expandZoom = 15
        $0.categories = [
            .with {
                $0.id = "cafe"
                $0.count = 9
            }
        ]
        $0.label = "bookshop/used"
    }

    private static let favourite = WireFavourite.with {
        $0.favouriteID = favouriteID
        $0.label = "책방"
        $0.place = directoryPlace
        $0.card = card
    }

    private static let hour = WireWeatherHour.with {
        $0.at = Values.timestamp()
        $0.condition = .heavyRain
        $0.temperatureCelsius = 0
        $0.feltCelsius = -3.5
        $0.precipitationPercent = 80
        $0.precipitationMm = 7.5
        $0.snowCm = 0
        $0.windMps = 9.5
        $0.gustMps = 20.5
        $0.humidityPercent = 95
        $0.pm10 = 31
        $0.pm25 = 50.5
        $0.pm10Grade = .moderate
        $0.pm25Grade = .veryBad
        $0.advice = ["dangerous", "slippery", "dusty"]
    }

    static let outlook = WireOutlook.with {
        $0.at = Values.timestamp()
        $0.opening = .thatDay
        $0.opensAt = Values.timestamp(60_000)
        $0.closesAt = Values.timestamp(120_000)
        $0.weatherState = .stale
        $0.weather = .with {
            $0.source = "kma"
            $0.attribution = "Korea Meteorological Administration (기상청)"
            $0.attributionURL = "https://www.weather.go.kr/"
            $0.fetchedAt = Values.timestamp(-3_600_000)
            $0.hours = [hour]
        }
    }

    static let requests: [WireRequest] = [
        .listCategories(WireListCategories()),
        .listRegions(.with { $0.parent = "KR-11" }),
        .viewPlaces(
            .with {
                $0.box = box
                $0.zoom = 14
                $0.filter = filter
                $0.limit = 300
            }
        ),
        .nearbyPlaces(
            .with {
                $0.latitude = 37.575_987
                $0.longitude = 126.976_911
                $0.radiusMetres = 1_500.5
                $0.filter = filter
                $0.cursor = "c1"
                $0.limit = 20
            }
        ),
        .searchPlaces(
            .with {
                $0.text = "광자"
                $0.near.latitude = 37.575_987
                $0.near.longitude = 126.976_911
                $0.box = box
                $0.filter = filter
                $0.cursor = "c1"
                $0.limit = 20
            }
        ),
        .getPlace(.with { $0.placeID = placeID }),
        .addFavourite(
            .with {
                $0.key = "k-1"
                $0.placeID = placeID
                $0.place = directoryPlace
                $0.label = ""
            }
        ),
        .removeFavourite(.with { $0.favouriteID = favouriteID }),
        .listFavourites(
            .with {
                $0.cursor = "c1"
                $0.limit = 20
            }
        ),
        .getOutlook(
            .with {
                $0.promiseID = Values.promiseID
                $0.placeID = placeID
                $0.at = Values.timestamp()
            }
        ),
        .getShareText(
            .with {
                $0.promiseID = Values.promiseID
                $0.placeID = placeID
                $0.courseID = courseID
            }
        ),
    ]

    static let contents: [WireContent] = [
        .categories(
            .with {
                $0.categories = [
                    .with {
                        $0.id = "cafe"
                        $0.name = "카페"
                        $0.icon = "cafe"
                        $0.count = 3_087
                    }
                ]
                $0.sources = [source]
            }
        ),
        .regions(
            .with {
                $0.regions = [
                    .with {
                        $0.code = "KR-11/종로구"
                        $0.name = "종로구"
                        $0.count = 41
                        $0.box = box
                    }
                ]
            }
        ),
        .placeView(
            .with {
                $0.cards = [card]
                $0.clusters = [cluster]
                $0.total = 13
                $0.cellPixels = 64
                $0.sources = [source]
            }
        ),
        .places(places),
        .placeDetails(
            .with {
                $0.card = card
                $0.names = [names]
                $0.hours = "day 2,7"
                $0.week = [
                    .with {
                        $0.date = "2026-11-22"
                        $0.opening = .open
                        $0.spans = [
                            .with {
                                $0.from = "18:00"
                                $0.to = "26:00"
                            }
                        ]
                    }
                ]
                $0.holidaysUnknown = true
                $0.phone = "+82 2 120"
                $0.website = "https://market.example"
                $0.social = "https://social.example/market"
                $0.facts = [fact]
                $0.timeZone = "Asia/Seoul"
                $0.updatedAt = Values.timestamp(-1)
                $0.myVisits = 2
                $0.source = source
            }
        ),
        .favourite(favourite),
        .favourites(
            .with {
                $0.favourites = [favourite]
                $0.cursor = "c2"
            }
        ),
        .outlook(outlook),
        .shareText(
            .with {
                $0.text = "광장시장\n닫힘"
                $0.links = [
                    .with {
                        $0.name = "OpenStreetMap"
                        $0.url = "https://www.openstreetmap.org/?mlat=37.57&mlon=126.98"
                    }
                ]
            }
        ),
    ]

    static let places = WirePlaces.with {
        $0.cards = [card]
        $0.cursor = "c2"
        $0.sources = [source]
    }

    // MARK: - For administrators

    private static let names = WirePlaceName.with {
        $0.language = "en"
        $0.name = "Gwangjang Market"
    }

    private static let fact = WirePlaceFact.with {
        $0.key = "market-days"
        $0.value = "2, 7"
    }

    private static let row = WirePlaceRow.with {
        $0.ref = "row-1"
        $0.place = Values.place
        $0.names = [names]
        $0.categories = ["market/periodic"]
        $0.region = "KR-11/종로구"
        $0.hours = "day 2,7"
        $0.phone = "+82 2 120"
        $0.website = "https://market.example"
        $0.social = "https://social.example/market"
        $0.facts = [fact]
    }

    static let forms: [AdminFormSamples.Form] = [
        .listSources(WireAdminListSources()),
        .beginImport(
            .with {
                $0.source = source
                $0.timeZone = "Asia/Seoul"
                $0.replace = true
                $0.maxRemovedPercent = 0
                $0.dryRun = true
            }
        ),
        .putPlaces(
            .with {
                $0.importID = Values.otherPromiseID
                $0.rows = [row]
            }
        ),
        .finishImport(.with { $0.importID = Values.otherPromiseID }),
        .cancelImport(.with { $0.importID = Values.otherPromiseID }),
        .removeSource(.with { $0.name = "markets-kr" }),
        .findPlaces(
            .with {
                $0.text = "시장"
                $0.filter = filter
                $0.cursor = "c1"
                $0.limit = 20
            }
        ),
        .showPlace(.with { $0.placeID = placeID }),
        .createPlace(
            .with {
                $0.sourceName = "own"
                $0.row = row
            }
        ),
        .editPlace(
            .with {
                $0.placeID = placeID
                $0.row = row
            }
        ),
        .removePlace(.with { $0.placeID = placeID }),
        .getWeatherStatus(WireAdminGetWeatherStatus()),
        .refreshWeather(.with { $0.placeID = placeID }),
    ]

    static let replies: [AdminReplySamples.Reply] = [
        .sources(
            .with {
                $0.sources = [
                    .with {
                        $0.source = source
                        $0.timeZone = "Asia/Seoul"
                        $0.importing = true
                    }
                ]
            }
        ),
        .placeImport(
            .with {
                $0.importID = Values.otherPromiseID
                $0.added = 1
                $0.changed = 2
                $0.unchanged = 3
                $0.removed = 4
                $0.refused = 5
                $0.refusedRows = [
                    .with {
                        $0.index = 7
                        $0.reason = "no-category"
                        $0.field = "categories"
                        $0.message = "No category is named zoo."
                    }
                ]
                $0.finished = true
            }
        ),
        .removedPlaces(.with { $0.count = 1_372 }),
        .places(places),
        .place(
            .with {
                $0.placeID = placeID
                $0.sourceName = "markets-kr"
                $0.row = row
                $0.timeZone = "Asia/Seoul"
                $0.hoursReadable = true
                $0.updatedAt = Values.timestamp(-1)
                $0.removedAt = Values.timestamp(1)
            }
        ),
        .weatherStatus(
            .with {
                $0.providers = [
                    .with {
                        $0.name = "kma"
                        $0.state = .backingOff
                        $0.failures = 3
                        $0.retryAt = Values.timestamp(60_000)
                    }
                ]
                $0.dailyRequests = 1_000
                $0.requestsSpent = 123
                $0.fetches = 2
            }
        ),
        .outlook(outlook),
    ]
}
