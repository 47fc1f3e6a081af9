#import <Foundation/Foundation.h>
#import "Item.h"
#define LIMIT 10

@protocol Priced <NSObject>
- (double)price;
@end

/** What people buy. */
@interface Cart : NSObject <Priced>
@property (nonatomic, strong) NSArray *items;
- (instancetype)initWithItems:(NSArray *)items;
+ (Cart *)empty;
@end

@implementation Cart {
  int _count;
}

- (instancetype)initWithItems:(NSArray *)items {
  self = [super init];
  return self;
}

// Adds up.
- (double)totalFor:(int)rate with:(Item *)item {
  return [item price] * rate + helper(rate);
}

+ (Cart *)empty { return [[Cart alloc] init]; }
@end

static int helper(int value) {
  return value + LIMIT;
}

typedef NS_ENUM(NSInteger, Shape) { ShapeCircle, ShapeSquare };
struct Point { int x; };
